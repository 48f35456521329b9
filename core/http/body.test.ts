/** Hostile bodies, over a real socket. */
import { Agent, createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memory } from '#test/memory-plugin'
import { type TestApp, testApp } from '#test/test-app'

let app: TestApp
let server: Server
beforeAll(async () => {
  app = await testApp(memory)
  server = createServer(app.handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await app.close()
})

const HEAD = 'POST /api/v1/secret HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

/** Sends raw bytes and returns the status line, even if the server closes the connection meanwhile. */
function send(...chunks: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let response = ''
    const done = () => {
      socket.destroy()
      resolve(response.split('\r\n')[0] ?? '')
    }
    socket.setEncoding('utf8').on('data', (text: string) => {
      response += text
      if (response.includes('\r\n\r\n')) done()
    })
    socket.on('error', done).on('close', done)
    for (const chunk of chunks) socket.write(chunk)
  })
}

const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

test('SEC-07: a declared length of 10 GiB is refused before a byte of it is read', async () => {
  expect(await send(`${HEAD}Content-Length: 10737418240\r\n\r\n`, '{"text":"')).toBe('HTTP/1.1 413 Payload Too Large')
})

test('SEC-07: a body without a length is refused once it is over the limit', async () => {
  const piece = chunked('x'.repeat(2 ** 20))
  const status = await send(
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
    chunked('{"text":"'),
    piece,
    piece,
    piece,
    piece,
    piece,
  )
  expect(status).toBe('HTTP/1.1 413 Payload Too Large')
})

test('SEC-07: JSON 10,000 deep is bad input, not a crash', async () => {
  const body = `{"text":${'['.repeat(10_000)}${']'.repeat(10_000)},"ttl":60}`
  expect(await send(`${HEAD}Content-Length: ${body.length}\r\n\r\n`, body)).toBe('HTTP/1.1 400 Bad Request')
})

test.each([
  ['with a length', (bytes: Buffer) => [`Content-Length: ${bytes.length}\r\n\r\n`, bytes]],
  [
    'without a length',
    (bytes: Buffer) => [
      'Transfer-Encoding: chunked\r\n\r\n',
      `${bytes.length.toString(16)}\r\n`,
      bytes,
      '\r\n0\r\n\r\n',
    ],
  ],
] as const)('a body %s that is not UTF-8 is refused, one with U+FFFD is not', async (_, partsOf) => {
  const latin1 = Buffer.from('{"text":"caf\xe9","ttl":600}', 'latin1')
  expect(await send(HEAD, ...partsOf(latin1))).toBe('HTTP/1.1 400 Bad Request')
  expect(await send(HEAD, ...partsOf(Buffer.from('{"text":"caf\uFFFD","ttl":600}')))).toBe('HTTP/1.1 201 Created')
})

test('a connection is usable after a rejected body', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { port } = server.address() as AddressInfo
  const path = '/api/v1/secret'
  const post = (chunks: string[]) =>
    new Promise<[status: number | undefined, port: number | undefined]>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
      const outgoing = request({ port, path, method: 'POST', agent, headers }, (response) => {
        const { localPort } = response.socket
        response.resume().on('end', () => resolve([response.statusCode, localPort]))
      })
      outgoing.on('error', reject)
      for (const chunk of chunks) outgoing.write(chunk)
      outgoing.end()
    })
  const [large, first] = await post(['{"text":"', ...Array<string>(5).fill('x'.repeat(2 ** 20)), '"}'])
  const [small, second] = await post(['{"text":"☃","ttl":600}'])
  expect([large, small]).toEqual([413, 201])
  expect(second).toBe(first)
})

test.each([
  ['both lengths', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ['a folded header', 'X-A: 1\r\n 2\r\nContent-Length: 2\r\n\r\n{}'],
  ['a length of words', 'Content-Length: two\r\n\r\n{}'],
])('SEC-36: a message with %s is refused', async (_, rest) => {
  expect(await send(HEAD + rest)).toMatch(/^HTTP\/1.1 400 /)
})

test('the server still responds afterwards', async () => {
  expect(await send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe('HTTP/1.1 204 No Content')
})
