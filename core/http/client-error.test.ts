import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Log } from '../lib/log.js'
import { listen, stopListening } from './server.js'

const logged: [string, unknown][] = []
const log: Log = { debug() {}, info() {}, error() {}, warn: (msg, fields) => void logged.push([msg, fields]) }
let server: Server
beforeEach(async () => {
  logged.splice(0)
  server = await listen((_, response) => void response.end('ok'), '127.0.0.1', 0, [], log)
})
afterEach(() => stopListening(server, 0))

/** Sends bytes and returns everything until the server closes the connection. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk
    })
    // The server may close before it read everything.
    socket.on('error', (error) => received === '' && reject(error)).on('close', () => resolve(received))
  })
}

const get = (cookieBytes: number, accept = '*/*') =>
  `GET / HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\nConnection: close\r\nCookie: other=${'c'.repeat(cookieBytes)}\r\n\r\n`

test('cookies of other applications of up to 31 KiB are accepted', async () => {
  expect(await send(get(31 * 1024))).toMatch(/^HTTP\/1\.1 200 .*ok$/s)
  expect(logged).toEqual([])
})

test('larger headers get 431 with advice, as JSON or as a page, and one log line', async () => {
  const [head, body = ''] = (await send(get(40 * 1024))).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 431 /)
  expect(JSON.parse(body)).toMatchObject({ statusCode: 431, code: 'request.too_large' })
  expect(body).toContain('cookies of this host')
  const page = await send(get(40 * 1024, 'text/html,*/*'))
  expect(page).toMatch(/^HTTP\/1\.1 431 .*text\/html.*<p>.*cookies of this host/s)
  expect(logged).toEqual([['request refused before it was read', { status: 431, code: 'request.too_large' }]])
})

test.each([64, 1024])('the response to headers of %i KiB arrives completely', async (kib) => {
  const [head, body = ''] = (await send(get(kib * 1024))).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 431 /)
  expect(JSON.parse(body)).toMatchObject({ code: 'request.too_large' })
})

test('SEC-36: a client that keeps a refused connection open loses it', async () => {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write('no HTTP\r\n\r\n'))
  socket.on('error', () => {}).resume()
  const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)))
  await new Promise((resolve) => socket.once('end', resolve))
  await expect.poll(count, { timeout: 20_000 }).toBe(0)
  socket.destroy()
})

test('a malformed request gets 400 in the error format, and its text is not logged', async () => {
  const [head, body = ''] = (await send('hünter2 / HTTP/1.1\r\n\r\n')).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(body)).toMatchObject({ statusCode: 400, error: 'Bad Request', code: 'request.invalid' })
  expect(logged).toEqual([['request refused before it was read', { status: 400, code: 'request.invalid' }]])
})
