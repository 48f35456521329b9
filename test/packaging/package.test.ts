/** The entries and types of the npm package, used from another folder. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }

const root = fileURLToPath(new URL('../..', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')

test('package.json has keywords, and the author and the license of LICENSE', () => {
  const license = readFileSync(join(root, 'LICENSE'), 'utf8')
  expect(manifest.keywords).toContain('one-time-secret')
  const [, name, author] = /^(\w+) License\n\nCopyright \(c\) \d+ (.+)\n/.exec(license) ?? []
  expect(manifest).toMatchObject({ license: name, author })
})

/** A folder that has the package installed, with these files. */
function consumer(sources: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-consumer-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/mayfly'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, code] of Object.entries(sources)) writeFileSync(join(folder, name), code)
  return folder
}

const PLUGIN = `
import { definePlugin, z, type Storage } from 'mayfly'
import { storageContract } from 'mayfly/testing'
declare const storage: Storage
export default definePlugin({
  contract: 1,
  name: 'acme',
  options: z.object({ size: z.int().default(1) }),
  setup({ size }, host) {
    host.log.info('set up', { size: size + 1 })
    return { storage }
  },
})
storageContract(async () => ({ storage, close: async () => {} }))
`

const PROGRAM = `
import type { paths } from 'mayfly/api'
import { collect, createSecret, MayflyError, readSecret } from 'mayfly/client'
type Created = paths['/secret']['post']['responses']['201']['content']['application/json']
const connection = { server: 'https://secrets.example.org' }
export async function share(content: Blob): Promise<string> {
  const { link } = await createSecret(connection, { text: 'text', files: [{ name: 'a', content }], ttl: 60 })
  const { text, files } = await readSecret(connection, link)
  const stream: ReadableStream<Uint8Array> | undefined = files[0]?.stream()
  const tag: string = (await collect(connection, link))?.tag ?? ''
  return (text ?? '') + tag + String(stream)
}
export const fieldOf = (error: unknown): string | null => (error instanceof MayflyError ? error.field : null)
export const tokenOf = ({ burnToken }: Created): string => burnToken
`

const SOURCES = {
  'program.ts': PROGRAM,
  'program-option.ts': PROGRAM.replace('ttl: 60', "ttl: '1h'"),
  'program-field.ts': PROGRAM.replace(
    '({ burnToken }: Created): string => burnToken',
    '({ id }: Created): number => id',
  ),
  'plugin.ts': PLUGIN,
  'plugin-option.ts': PLUGIN.replace('size + 1', 'size.length'),
  'plugin-hook.ts': PLUGIN.replace('return { storage }', 'return { storge: storage }'),
}

/** Errors of the compiler. Compiles all sources at once, because reading the types of the packages takes seconds. */
let errors: string[]
beforeAll(() => {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023']
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...Object.keys(SOURCES)], {
    cwd: consumer(SOURCES),
    encoding: 'utf8',
  })
  errors = stdout.split('\n').filter((line) => line.includes('error TS'))
})

const errorOf = (name: string) => errors.find((line) => line.startsWith(name))

test('a program gets the types of mayfly/client and mayfly/api', () => {
  expect(errors.filter((line) => line.startsWith('program'))).toHaveLength(2)
  expect(errorOf('program-option.ts')).toContain("'string' is not assignable to type")
  expect(errorOf('program-field.ts')).toContain("'string' is not assignable to type")
})

test('an external plugin gets the types of its options', () => {
  expect(errors.filter((line) => line.startsWith('plugin'))).toHaveLength(2)
  expect(errorOf('plugin-option.ts')).toContain("Property 'length' does not exist")
  expect(errorOf('plugin-hook.ts')).toContain('storge')
})

test('the entry exports the documented names at run time', () => {
  const code = "import * as entry from 'mayfly'; console.log(Object.keys(entry).sort().join())"
  const folder = consumer({})
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(output.trim()).toBe(
    'AppError,CHAIN_END_KEY,CHAIN_START,ERRORS,OperatorError,PASSWORD_ATTEMPTS,QUEUE_FULL,RECEIPT_VIEWS_MAX,assertStreamLength,bytes,chainEntries,checkBlobKey,consumeFrom,createFolder,createLanguageNegotiator,definePlugin,describeUnknownMigrations,direction,duration,flag,isAllowedAddress,isAppError,isBlobKey,isLoopbackHost,isOpen,isUsedUp,list,route,secret,splitList,tombstoneOf,viewsLeft,wholeNumber,z',
  )
})
