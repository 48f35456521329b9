/** The built server: dependencies are in the bundle, and a start loads no code that only later requests need. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { WORDS } from '#shared/crypto/word-list'
import { ROOT } from '#test/source-files'
import { startServer } from '#test/start-server'

/** The bindings of SQLite. */
const NOT_BUNDLED = new Set(['sqlite3', 'bindings', 'file-uri-to-path'])
/**
 * A dozen of large files, and a small one for each group of modules that the server shares with other entries of the
 * package.
 */
const FILES_MAX = 80

let files: string[]
beforeAll(async () => {
  files = await filesOfStart()
})

test('a start of the server evaluates few files, and no packages but native modules', () => {
  const packages = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])
  expect([...new Set(packages)].filter((name) => !NOT_BUNDLED.has(name))).toEqual([])
  expect(files.length).toBeGreaterThan(10)
  expect(files.length).toBeLessThan(FILES_MAX)
})

test('a start of the server evaluates no encryption, no passphrases, no CSV and no parser of bodies', () => {
  const code = files.map((file) => readFileSync(file, 'utf8')).join()
  expect(code).toContain('/api/v1')
  expect(code).not.toContain('age-encryption.org')
  expect(code).not.toContain('invalid JSON, only supports object and array')
  expect(code).not.toContain('escapeFormulae')
  expect(code).not.toContain(WORDS.slice(0, 3).join(' '))
})

test('THIRD-PARTY-NOTICES.txt contains name, version and license of the bundled packages', () => {
  const notices = readFileSync(join(ROOT, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
  for (const name of ['koa', 'knex', 'zod', 'lodash', 'age-encryption', '@noble/hashes']) {
    const { version, license } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'))
    expect(notices).toContain(`\n${name} ${version}\nLicense: ${license}\n`)
  }
  expect(notices).not.toMatch(/^sqlite3 /m)
})

/** Files with code that a server evaluates until it is ready. V8 lists them in its coverage report. */
async function filesOfStart(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-coverage-'))
  const server = await startServer({ env: { NODE_V8_COVERAGE: folder } })
  await server.stop()
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
  })
  rmSync(folder, { recursive: true })
  return [...new Set(urls)].map((url) => fileURLToPath(url))
}
