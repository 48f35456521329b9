import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { limitResponses } from './response-limit.js'

const MAX = 1000
const BODY = '{"text":"ö ☃"}'

let server: Server
afterEach(() => void server.closeAllConnections())

async function get(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const response = await limitResponses(fetch, MAX)(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return response.text()
}

test('a short response is unchanged, with and without a length, compressed and not', async () => {
  expect(await get((_, response) => response.end(BODY))).toBe(BODY)
  expect(await get((_, response) => response.writeHead(200).end(BODY))).toBe(BODY)
  expect(
    await get((_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.from(BODY)))),
  ).toBe(BODY)
  expect(await get((_, response) => response.writeHead(204).end())).toBe('')
})

test('a response without a body is unchanged, also if its body is an empty stream, as in Chromium', async () => {
  for (const status of [204, 205, 304]) {
    const response = { status, headers: new Headers(), body: new ReadableStream() } as Response
    expect(await limitResponses(async () => response)('http://localhost')).toBe(response)
  }
})

test.each<[string, RequestListener]>([
  ['with its length', (_, response) => response.setHeader('content-length', 2 ** 30).write('x')],
  ['without a length', (_, response) => void response.write('x'.repeat(5000))],
  [
    'when it is decompressed',
    (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(2 ** 20))),
  ],
])('a response that is too large fails %s', async (_, listener) => {
  await expect(get(listener)).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
})
