import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createNodeFetch } from './node-fetch.js'
import { toHttpResponse } from './node-response.js'

const MAX = 1000
const BODY = '{"text":"ö ☃"}'

let server: Server
afterEach(() => void server.closeAllConnections())

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function receive(listener: RequestListener) {
  const [message] = (await once(get(await listen(listener)), 'response')) as [IncomingMessage]
  return toHttpResponse(message, () => undefined, MAX)
}

test('a short response is unchanged, with and without a length', async () => {
  expect(await (await receive((_, response) => response.end(BODY))).text()).toBe(BODY)
  expect(await (await receive((_, response) => response.writeHead(200).end(BODY))).text()).toBe(BODY)
  expect(await (await receive((_, response) => response.writeHead(204).end())).text()).toBe('')
})

test('headers are found in any case, and cookies one by one', async () => {
  const { headers, ok, status } = await receive((_, response) => {
    response.writeHead(404, { 'Retry-After': ['5', '6'], 'Set-Cookie': ['a=1', 'b=2'] }).end()
  })
  expect({ ok, status }).toEqual({ ok: false, status: 404 })
  expect([headers.get('Retry-After'), headers.get('x-none')]).toEqual(['5, 6', null])
})

test.each<[string, RequestListener]>([
  ['with its length', (_, response) => response.setHeader('content-length', 2 ** 30).write('x')],
  ['without a length', (_, response) => void response.write('x'.repeat(5000))],
])('a response that is too large fails %s', async (_, listener) => {
  const text = receive(listener).then((response) => response.text())
  await expect(text).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
})

test('a stalled body throws the reason of the signal, and a broken connection throws an error', async () => {
  const send = createNodeFetch({ tls: null, proxy: null })
  const url = await listen((request, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('12345')
    if (request.url === '/broken') setImmediate(() => response.destroy())
  })
  const controller = new AbortController()
  const stalled = await send(url, { headers: {}, signal: controller.signal })
  const read = stalled.body?.getReader().read
  expect(Buffer.from((await read?.())?.value ?? []).toString()).toBe('12345')
  const next = read?.()
  const reason = new DOMException('no response in time', 'TimeoutError')
  controller.abort(reason)
  await expect(next).rejects.toBe(reason)
  await expect(send(url, { headers: {}, signal: controller.signal })).rejects.toBe(reason)
  await expect((await send(`${url}/broken`, { headers: {} })).text()).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('the length of every body is sent, also with a method that rarely has one', async () => {
  const send = createNodeFetch({ tls: null, proxy: null })
  const url = await listen(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.end(`${request.method} ${request.headers['content-length']} ${Buffer.concat(chunks)}`)
  })
  for (const method of ['DELETE', 'POST', 'PUT']) {
    expect(await (await send(url, { method, headers: {}, body: 'ö' })).text()).toBe(`${method} 2 ö`)
    const bytes = await send(url, { method, headers: {}, body: Buffer.from('☃') })
    expect(await bytes.text()).toBe(`${method} 3 ☃`)
  }
})
