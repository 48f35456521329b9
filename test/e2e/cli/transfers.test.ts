/** Uploads and downloads when the server is killed or Ctrl-C is pressed. */

import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { terminal } from '#test/spawn-cli'
import { type RunningServer, startServer } from '#test/start-server'

const CTRL_C = '\x03'
const SIZE = 30_000_000
const PARTS = 4
/** Parts that are on their way at once, each of which a break may cost once. */
const IN_FLIGHT = 3

// Each test starts several processes, which send tens of megabytes.
vi.setConfig({ testTimeout: 120_000 })

const SETTINGS = {
  MAYFLY_PLUGINS: ',',
  MAYFLY_FILES: 'local-files',
  MAYFLY_VISITOR_BYTES_PER_DAY: '10000000000',
  MAYFLY_MAX_FILE_BYTES: '1000000000',
}
let folder: string
let path: string
let sha256: string
let server: RunningServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-transfers-'))
  path = join(folder, 'Übersicht.bin')
  await writeFile(path, randomBytes(SIZE))
  sha256 = await digestOf(path)
  server = await startServer({ env: SETTINGS })
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
const putsIn = (log: string) =>
  log.match(/"method":"PUT","route":"\/api\/v1\/files\/:id\/:index","status":204/g)?.length ?? 0

/** The link of a secret that was sent undisturbed. */
async function sent(file = path): Promise<string> {
  const { stdout } = await run(['secret', 'create', '-f', file, '-s', server.url, '-q'])
  return stdout.toString().trim()
}
async function arrived(link: string): Promise<string> {
  const { stdout, code } = await run(['secret', 'read', '-', '-q'], { stdin: link })
  expect(code).toBe(0)
  return createHash('sha256').update(stdout).digest('hex')
}

test('an upload continues after the server is killed and restarted', async () => {
  const dataDir = join(folder, 'killed')
  await mkdir(dataDir)
  const first = await startServer({ dataDir, env: SETTINGS })
  const sending = run(['secret', 'create', '-f', path, '-s', first.url])
  await first.logged(/"method":"PUT".*"status":204/)
  await first.kill()
  const second = await startServer({ dataDir, env: SETTINGS, args: ['--port', String(first.port)] })
  const { stdout, stderr, code } = await sending
  expect(stderr).toContain('warning: the connection is lost')
  expect(code).toBe(0)
  expect(putsIn(first.log())).toBeGreaterThan(0)
  expect(putsIn(second.log())).toBeGreaterThan(0)
  expect(putsIn(first.log()) + putsIn(second.log())).toBeLessThanOrEqual(PARTS + IN_FLIGHT)
  expect(await arrived(stdout.toString())).toBe(sha256)
  await second.stop()
})

describe('Ctrl-C', needs('script'), () => {
  test.each([
    ['a file', (file: string) => `mayfly secret create -f '${file}' -o link`],
    ['a pipe', (file: string) => `cat '${file}' | mayfly secret create -f - -o link`],
  ])('Ctrl-C during %s exits with 130 and leaves nothing', async (_, line) => {
    const dataDir = join(folder, 'cancelled')
    const cwd = join(folder, 'empty')
    for (const each of [dataDir, cwd]) await mkdir(each, { recursive: true })
    const large = join(folder, 'large')
    await writeFile(large, randomBytes(2 * SIZE))
    const own = await startServer({ dataDir, env: { ...SETTINGS, MAYFLY_SWEEP_SECONDS: '1' } })
    const tty = terminal(line(large), { env: { MAYFLY_SERVER: own.url, TMPDIR: cwd }, cwd })
    await tty.sees(/Encrypting and sending {2}[1-9]/)
    expect((await readdir(join(dataDir, 'files'))).length).toBeGreaterThan(0)
    tty.types(CTRL_C)
    await tty.sees(/error:.* interrupted/)
    expect(await tty.ended).toBe(130)
    expect(own.log()).toMatch(/"method":"DELETE","route":"\/api\/v1\/files\/:id","status":204/)
    expect(own.log()).not.toContain('"route":"/api/v1/secret"')
    await vi.waitFor(async () => expect(await blobsIn(dataDir)).toEqual([]), { timeout: 10_000 })
    expect(await readdir(cwd)).toEqual([])
    await own.stop()
  })

  test('Ctrl-C during a download exits with 130 and leaves no partial file', async () => {
    const cwd = join(folder, 'reading')
    await mkdir(cwd)
    const tty = terminal(`mayfly secret read '${await sent()}' --yes`, { cwd })
    await tty.sees(/Receiving and decrypting {2}[1-9]/)
    expect(await readdir(cwd)).toHaveLength(1)
    tty.types(CTRL_C)
    expect(await tty.ended).toBe(130)
    expect(await readdir(cwd)).toEqual([])
  })
})

const blobsIn = async (dataDir: string) =>
  (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
