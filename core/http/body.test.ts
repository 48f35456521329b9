/** Bodies that mean harm, over a real socket. */
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtIns } from '#plugins'
import { type TestApp, testApp } from '#test/test-app'
import type { Plugin } from '../plugins/plugin.js'

let app: TestApp
let server: Server
beforeAll(async () => {
  app = await testApp((await builtIns.memory()).default as Plugin)
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
function send(...chunks: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let answer = ''
    const done = () => {
      socket.destroy()
      resolve(answer.split('\r\n')[0] ?? '')
    }
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
      if (answer.includes('\r\n\r\n')) done()
    })
    socket.on('error', done).on('close', done)
    for (const chunk of chunks) socket.write(chunk)
  })
}

const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

test('a declared length of 10 GiB is refused before a byte of it is read', async () => {
  expect(await send(`${HEAD}Content-Length: 10737418240\r\n\r\n`, '{"text":"')).toBe('HTTP/1.1 413 Payload Too Large')
})

test('a body without a length is refused once it is over the limit', async () => {
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

test('JSON 10,000 deep is bad input, not a crash', async () => {
  const body = `{"text":${'['.repeat(10_000)}${']'.repeat(10_000)},"ttl":60}`
  expect(await send(`${HEAD}Content-Length: ${body.length}\r\n\r\n`, body)).toBe('HTTP/1.1 400 Bad Request')
})

test.each([
  ['both lengths', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ['a folded header', 'X-A: 1\r\n 2\r\nContent-Length: 2\r\n\r\n{}'],
  ['a length of words', 'Content-Length: two\r\n\r\n{}'],
])('a message with %s is refused', async (_, rest) => {
  expect(await send(HEAD + rest)).toMatch(/^HTTP\/1.1 400 /)
})

test('the server still responds afterwards', async () => {
  expect(await send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe('HTTP/1.1 204 No Content')
})
