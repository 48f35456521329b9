/** The built program in pipes: all bytes arrive, and a reader that exits early is not an error. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'
import { shell } from '#test/spawn-cli'

const NO_OUTPUT = { stdout: Buffer.alloc(0), stderr: '', code: 0 }

let server: LocalServer
let cwd: string
let env: Record<string, string>
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'mayfly-pipes-'))
  server = await startLocalServer({
    env: { MAYFLY_VISITOR_BYTES_PER_DAY: '10000000000', MAYFLY_MAX_FILE_BYTES: '200000000' },
  })
  env = { MAYFLY_SERVER: server.url }
})
afterAll(async () => {
  await server?.stop()
  await rm(cwd, { recursive: true, force: true })
})

// More parts than are sent at the same time.
test.each([300_000, 40_000_000])('CRY-03: %i random bytes arrive unchanged', async (length) => {
  await writeFile(join(cwd, 'bytes'), randomBytes(length))
  const line = 'cat bytes | mayfly secret create -q | mayfly secret read -q - | cmp - bytes'
  expect(await shell(line, { env, cwd })).toEqual(NO_OUTPUT)
})

test('random bytes arrive unchanged as a text when files are disabled', async () => {
  const none = await startLocalServer({ env: { MAYFLY_VISITOR_UPLOADS: 'false' } })
  await writeFile(join(cwd, 'bytes'), randomBytes(2 ** 20))
  const line = 'mayfly secret create -q < bytes | mayfly secret read -q - | cmp - bytes'
  expect(await shell(line, { env: { MAYFLY_SERVER: none.url }, cwd })).toEqual(NO_OUTPUT)
  await none.stop()
})

test('--file reads a pipe by its path', async () => {
  await writeFile(join(cwd, 'bytes'), randomBytes(300_000))
  const line = 'mayfly secret create -q -f <(cat bytes) | mayfly secret read -q - | cmp - bytes'
  expect(await shell(line, { env, cwd })).toEqual(NO_OUTPUT)
})

test('LINK=$(mayfly secret create < .env) is one line', async () => {
  await writeFile(join(cwd, '.env'), 'A=1\nB=2\n')
  const { stdout } = await shell('LINK=$(mayfly secret create < .env); echo "[$LINK]"', { env, cwd })
  expect(stdout.toString()).toMatch(/^\[http:\/\/localhost:\d+\/secret\/\S+\]\n$/)
})

test('--password-fd reads from another descriptor', async () => {
  const line =
    'echo text | mayfly secret create -q --password-fd 3 3<<< right | mayfly secret read -q - --password-fd 3 3<<< right'
  expect(await shell(line, { env, cwd })).toMatchObject({ stdout: Buffer.from('text\n'), stderr: '', code: 0 })
})

test('a secret is not acknowledged when the reader of stdout exits', async () => {
  const made = await run(['secret', 'create'], { env, stdin: randomBytes(2 ** 20) })
  const before = server.log().length
  const link = { LINK: made.stdout.toString().trim() }
  await shell('mayfly secret read "$LINK" | head -c 1 > /dev/null || true', { env: link })
  expect(server.log().slice(before)).toContain('"route":"/api/v1/secret/:id","status":200')
  expect(server.log().slice(before)).not.toContain('/ack')
})

test('an exited reader of stdout is not an error', async () => {
  const { stdout, stderr } = await shell('mayfly --help | head -1; mayfly help examples | true')
  expect(stdout.toString()).toBe('Usage: mayfly [options] [command]\n')
  expect(stderr).toBe('')
})
