/** Uploads and downloads over interrupted connections. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { type RunningProxy, startProxy } from '#test/proxy'
import { run } from '#test/run-cli'
import {
  createTransferFile,
  FILE_BYTES,
  hashDownload,
  hashFile,
  IN_FLIGHT,
  PARTS,
  TRANSFER_SETTINGS,
  type TransferFile,
  uploadFile,
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

describe('an interrupted connection', () => {
  test.each([0.1, 0.5, 0.9])('at %d of an upload repeats only the parts in flight', async (share) => {
    const proxy = await throughProxy()
    proxy.cutAfter(share * FILE_BYTES)
    const { stdout, stderr, code } = await run(['secret', 'create', '-f', file.path, '-s', proxy.url])
    expect(stderr).toContain('warning: connection lost, retrying')
    expect(code).toBe(0)
    const puts = requests(proxy, /PUT \/api\/v1\/files\//g)
    expect(puts).toBeGreaterThan(PARTS)
    expect(puts).toBeLessThanOrEqual(PARTS + IN_FLIGHT)
    expect(requests(proxy, /GET \/api\/v1\/files\//g)).toBe(1)
    expect(await hashDownload(stdout.toString())).toBe(file.sha256)
  })

  test.each([0.1, 0.5, 0.9])('at %d of a download continues with the missing part', async (share) => {
    const proxy = await throughProxy()
    const link = (await uploadFile(file.path, server.url)).replace(server.url, proxy.url)
    proxy.cutAfter(share * FILE_BYTES)
    const { stdout, stderr, code } = await run(['secret', 'read', '-', '--out-dir', file.folder, '--json'], {
      stdin: link,
    })
    expect(stderr).toContain('warning: connection lost, retrying')
    expect(code).toBe(0)
    const downloads = requests(proxy, /POST \/api\/v1\/download /g)
    expect(downloads).toBeGreaterThan(PARTS)
    // One is read ahead.
    expect(downloads).toBeLessThanOrEqual(PARTS + 2)
    const [{ path: saved }] = JSON.parse(stdout.toString()).files
    expect(await hashFile(saved)).toBe(file.sha256)
  })

  test('after the create request was sent leaves one secret with its files', async () => {
    const proxy = await throughProxy()
    proxy.cutAnswerTo(/^POST \/api\/v1\/secret /)
    const { stdout, code } = await run(['secret', 'create', '-f', file.path, '-s', proxy.url])
    expect(code).toBe(0)
    expect(requests(proxy, /POST \/api\/v1\/secret /g)).toBe(2)
    expect(await hashDownload(stdout.toString())).toBe(file.sha256)
  })
})
