/** Uploads and downloads over connections that are cut. */

import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { type RunningProxy, startProxy } from '#test/proxy'
import { run } from '#test/run-cli'

const SIZE = 30_000_000
const PARTS = 4
/** Parts that are on their way at once, each of which a break may cost once. */
const IN_FLIGHT = 3

const SETTINGS = {
  MAYFLY_VISITOR_BYTES_PER_DAY: '10000000000',
  MAYFLY_MAX_FILE_BYTES: '1000000000',
}
let folder: string
let path: string
let sha256: string
let server: LocalServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-transfers-'))
  path = join(folder, 'Übersicht.bin')
  await writeFile(path, randomBytes(SIZE))
  sha256 = await digestOf(path)
  server = await startLocalServer({ env: SETTINGS })
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

const proxies: RunningProxy[] = []
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.close())))
async function throughProxy(): Promise<RunningProxy> {
  const proxy = await startProxy(server.url)
  proxies.push(proxy)
  return proxy
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
const requests = (proxy: RunningProxy, line: RegExp) => proxy.traffic().toString('latin1').match(line)?.length ?? 0

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

describe('a cut connection', () => {
  test.each([0.1, 0.5, 0.9])('after %d of an upload: only what was on its way is sent again', async (share) => {
    const proxy = await throughProxy()
    proxy.cutAfter(share * SIZE)
    const { stdout, stderr, code } = await run(['secret', 'create', '-f', path, '-s', proxy.url])
    expect(stderr).toContain('warning: connection lost, retrying')
    expect(code).toBe(0)
    const puts = requests(proxy, /PUT \/api\/v1\/files\//g)
    expect(puts).toBeGreaterThan(PARTS)
    expect(puts).toBeLessThanOrEqual(PARTS + IN_FLIGHT)
    expect(requests(proxy, /GET \/api\/v1\/files\//g)).toBe(1)
    expect(await arrived(stdout.toString())).toBe(sha256)
  })

  test.each([0.1, 0.5, 0.9])('after %d of a download: it goes on with the part that is missing', async (share) => {
    const proxy = await throughProxy()
    const link = (await sent()).replace(server.url, proxy.url)
    proxy.cutAfter(share * SIZE)
    const { stdout, stderr, code } = await run(['secret', 'read', '-', '--out-dir', folder, '--json'], { stdin: link })
    expect(stderr).toContain('warning: connection lost, retrying')
    expect(code).toBe(0)
    const downloads = requests(proxy, /POST \/api\/v1\/download /g)
    expect(downloads).toBeGreaterThan(PARTS)
    // One is read ahead.
    expect(downloads).toBeLessThanOrEqual(PARTS + 2)
    const [{ path: saved }] = JSON.parse(stdout.toString()).files
    expect(await digestOf(saved)).toBe(sha256)
  })

  test('an answer that is lost to what binds the files leaves one secret, with its files', async () => {
    const proxy = await throughProxy()
    proxy.cutAnswerTo(/^POST \/api\/v1\/secret /)
    const { stdout, code } = await run(['secret', 'create', '-f', path, '-s', proxy.url])
    expect(code).toBe(0)
    expect(requests(proxy, /POST \/api\/v1\/secret /g)).toBe(2)
    expect(await arrived(stdout.toString())).toBe(sha256)
  })
})
