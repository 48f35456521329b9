/** The examples of docs/client.md as written, with the built library. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { ROOT } from '#test/source-files'
import { shell } from '#test/spawn-cli'

const page = readFileSync(join(ROOT, 'docs/client.md'), 'utf8')
const examples = [...page.matchAll(/<!-- client example[^>]*-->\n```js\n([\s\S]*?)```/g)].map(([, code = '']) => code)

let server: LocalServer
let cwd: string
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'mayfly-library-'))
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(ROOT, join(cwd, 'node_modules/mayfly'))
  server = await startLocalServer({ instanceSettings: { who_can_request: 'anyone' } })
})
afterAll(async () => {
  await server?.stop()
  rmSync(cwd, { recursive: true, force: true })
})

/** Runs a program in a folder that has the package installed. */
async function runExample(code: string) {
  writeFileSync(join(cwd, 'program.mjs'), code)
  return shell(`'${process.execPath}' program.mjs`, { cwd, env: { MAYFLY_SERVER: server.url } })
}

test.each([
  [
    'share and open a secret',
    0,
    /^share http\S+#1[\w-]{45}, keep 43 characters to burn it\ncorrect horse battery ☃\n$/,
  ],
  ['files', 1, /^program\.mjs true, notes\.txt true\n$/],
  ['ask for a secret', 2, /^the answer to Database password, 1 left\n$/],
])('client.md: %s', async (_, index, expected) => {
  expect(examples).toHaveLength(3)
  const { stdout, stderr, code } = await runExample(examples[index] as string)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.toString()).toMatch(expected)
})

test('client.md lists every error code of the library', () => {
  const source = readFileSync(join(ROOT, 'core/shared/library/client-error.ts'), 'utf8')
  const codes = [...source.matchAll(/^ {2}\| '([a-z._]+)'$/gm)].map(([, code]) => code)
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([])
})
