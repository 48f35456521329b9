/** Uploads and downloads over interrupted connections, in this process. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { type RunningProxy, startProxy } from '#test/proxy'
import { run } from '#test/run-cli'
import {
  createTransferFile,
  FILE_BYTES,
  hashFile,
  IN_FLIGHT,
  PARTS,
  TRANSFER_SETTINGS,
  type TransferFile,
} from '#test/transfers'

let file: TransferFile
let server: LocalServer
beforeAll(async () => {
  file = await createTransferFile()
  server = await startLocalServer({ env: TRANSFER_SETTINGS })
})
afterAll(async () => {
  await server?.stop()
  await file?.remove()
})

const proxies: RunningProxy[] = []
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.close())))
async function throughProxy(): Promise<RunningProxy> {
  const proxy = await startProxy(server.url)
  proxies.push(proxy)
  return proxy
}

const requests = (proxy: RunningProxy, line: RegExp) => proxy.traffic().toString('latin1').match(line)?.length ?? 0

describe('a signal during secret create exits with 130 and leaves nothing on the server', () => {
  /** As Ctrl-C. The timer that ends a blocked program must not end the tests. */
  function interrupt() {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    process.emit('SIGINT', 'SIGINT')
    vi.useRealTimers()
  }
  const cancelled = {
    stdout: Buffer.alloc(0),
    code: 130,
    stderr: expect.stringContaining('mayfly: error: interrupted'),
  }

  test('while a file is uploaded', async () => {
    const proxy = await throughProxy()
    const running = run(['secret', 'create', '-f', file.path, '-s', proxy.url])
    await vi.waitFor(() => expect(requests(proxy, /PUT \/api\/v1\/files\//g)).toBeGreaterThan(0), {
      interval: 5,
      timeout: 60_000,
    })
    interrupt()
    expect(await running).toMatchObject(cancelled)
    expect(requests(proxy, /DELETE \/api\/v1\/files\//g)).toBe(1)
    expect(requests(proxy, /POST \/api\/v1\/secret /g)).toBe(0)
  })

  test('while the server stores the secret', async () => {
    const held = await startHoldingServer(server.url)
    const running = run(['secret', 'create', '--public', '-s', held.url], { stdin: 'täxt ☃' })
    await held.isStored
    const list = async () => (await fetch(`${server.url}/api/v1/secret/public`)).json()
    expect(await list()).toHaveLength(1)
    interrupt()
    expect(await running).toMatchObject(cancelled)
    expect(await list()).toEqual([])
    await held.close()
  })
})

/** Passes requests on, but withholds the response to the first create. */
async function startHoldingServer(target: string) {
  let isHeld = false
  let setStored = () => {}
  const isStored = new Promise<void>((done) => {
    setStored = done
  })
  const listener = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = method === 'GET' ? null : new Uint8Array(await buffer(request))
    const names = ['content-type', 'idempotency-key'].filter((name) => headers[name] !== undefined)
    const sent = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
    const passed = await fetch(target + url, { method, body, headers: sent })
    const content = Buffer.from(await passed.arrayBuffer())
    if (!isHeld && method === 'POST' && url === '/api/v1/secret') {
      isHeld = true
      return setStored()
    }
    response.writeHead(passed.status, { 'content-type': passed.headers.get('content-type') ?? '' }).end(content)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    isStored,
    async close() {
      listener.close()
      listener.closeAllConnections()
      await once(listener, 'close')
    },
  }
}

describe('an interrupted connection', () => {
  test.each([0.1, 0.5, 0.9])(
    'at %d of an upload and of its download repeats only the parts in flight',
    async (share) => {
      const proxy = await throughProxy()
      proxy.cutAfter(share * FILE_BYTES)
      const { stdout, stderr, code } = await run(['secret', 'create', '-f', file.path, '-s', proxy.url])
      expect(stderr).toContain('warning: connection lost, retrying')
      expect(code).toBe(0)
      const traffic = proxy.traffic().toString('latin1')
      const sent: string[] = traffic.match(/PUT \/api\/v1\/files\/\S+/g) ?? []
      const repeated = new Set(sent.filter((each, at) => sent.indexOf(each) < at))
      expect(new Set(sent).size).toBe(PARTS)
      expect(repeated.size).toBeGreaterThan(0)
      expect(repeated.size).toBeLessThanOrEqual(IN_FLIGHT)
      // One for each interruption: on a busy machine, a connection that was idle for long may break, too.
      expect(traffic).toMatch(/GET \/api\/v1\/files\//)
      await expectRepeatedDownload(stdout.toString().replace(proxy.url, server.url), share)
    },
  )

  /** Downloads the file and cuts the connection once. */
  async function expectRepeatedDownload(link: string, share: number): Promise<void> {
    const proxy = await throughProxy()
    proxy.cutAfter(share * FILE_BYTES)
    const { stdout, stderr, code } = await run(['secret', 'read', '-', '--out-dir', file.folder, '--json'], {
      stdin: link.replace(server.url, proxy.url),
    })
    expect(stderr).toContain('warning: connection lost, retrying')
    expect(code).toBe(0)
    const downloads = requests(proxy, /POST \/api\/v1\/download /g)
    expect(downloads).toBeGreaterThan(PARTS)
    // One is read ahead.
    expect(downloads).toBeLessThanOrEqual(PARTS + 2)
    const [{ path: saved }] = JSON.parse(stdout.toString()).files
    expect(await hashFile(saved)).toBe(file.sha256)
  }

  test('after the create request was sent leaves one secret with its files', async () => {
    const proxy = await throughProxy()
    proxy.cutAnswerTo(/^POST \/api\/v1\/secret /)
    const stdin = Buffer.alloc(100_000, 'föhn ☃')
    const { stdout, code } = await run(['secret', 'create', '-f', '-', '--name', 'föhn', '-s', proxy.url], { stdin })
    expect(code).toBe(0)
    expect(requests(proxy, /PUT \/api\/v1\/files\//g)).toBe(1)
    expect(requests(proxy, /POST \/api\/v1\/secret /g)).toBe(2)
    const [, id = ''] = /"id":"([\w-]{22})"/.exec(proxy.lost().at(-1) ?? '') ?? []
    expect(stdout.toString()).toContain(`/secret/${id}#`)
    const read = await run(['secret', 'read', '-', '-q'], { stdin: stdout })
    expect(Buffer.compare(read.stdout, stdin)).toBe(0)
  })
})
