/**
 * No request may cost more than 20 ms of CPU time before it is refused: long, odd and repeated values in the path, the
 * query and every header that the server reads. A failure prints its seed.
 */
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Plugin } from '#core/plugins/plugin'
import { builtIns } from '#plugins'
import { memory } from '#test/memory-plugin'
import { type TestApp, testApp } from '#test/test-app'

const RUNS = 400
const MAX_MS = 20
/** Number of attempts. The cheapest counts, without compilation and garbage collection. */
const ATTEMPTS = 5
/** Node refuses longer headers. */
const MAX_LENGTH = 15_000

let app: TestApp
let server: Server
beforeAll(async () => {
  const web = await builtIns.web()
  app = await testApp(memory, {
    plugins: [web.default as unknown as Plugin],
    settings: { trustedProxies: ['127.0.0.0/8'], corsOrigins: ['https://other.example.org'] },
  })
  server = createServer({ maxHeaderSize: 32 * 1024 }, app.handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await app.close()
})

/** Sends raw bytes. Resolves with the status when the server has closed the connection. */
function send(text: string): Promise<number> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.setEncoding('latin1').on('data', (data: string) => {
      received += data
    })
    socket.on('error', () => {}).on('close', () => resolve(Number(received.slice(9, 12))))
    socket.end(text, 'latin1')
  })
}

async function cheapestAttempt(text: string): Promise<number> {
  let cheapest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && cheapest > MAX_MS; attempt++) {
    const before = process.cpuUsage()
    await send(text)
    const { user, system } = process.cpuUsage(before)
    cheapest = Math.min(cheapest, (user + system) / 1000)
  }
  return cheapest
}

const UNITS = [
  'aa,',
  'de-DE;q=0.1,',
  ' ',
  '\t',
  ',',
  ';',
  '=',
  '"',
  '%',
  '%2e',
  '..',
  '/',
  '//',
  '::ffff:',
  '1.2.3.4, ',
  '[::1]:1,',
]
const unit = fc.oneof(
  fc.constantFrom(...UNITS, 'a=b; ', 'session=', 'Bearer ', 'mf_', '[', '\\', '.'),
  fc.stringMatching(/^[\x21-\x7e]{1,6}$/),
)
/** A unit repeated up to the maximum, with different ends, or random characters. */
const value = fc.oneof(
  fc
    .tuple(fc.constantFrom('', 'x', '"'), unit, fc.integer({ min: 1, max: MAX_LENGTH }), fc.constantFrom('', '!', '~x'))
    .map(([start, each, length, end]) =>
      (start + each.repeat(Math.ceil(length / each.length)).slice(0, length) + end).trim(),
    ),
  fc.stringMatching(/^[\x21-\x7e]{0,200}$/),
)
const HEADERS = [
  'Accept-Language',
  'Accept-Encoding',
  'Accept',
  'Authorization',
  'Cookie',
  'X-Forwarded-For',
  'Forwarded',
  'Host',
  'Origin',
  'Sec-Fetch-Site',
  'User-Agent',
  'Referer',
  'Content-Type',
  'Mayfly-Access',
  'Idempotency-Key',
  'If-None-Match',
  'Range',
  'Content-Encoding',
  'Access-Control-Request-Headers',
]
const PATHS = [
  '/',
  '/secret/',
  '/api/v1/secret/',
  '/api/v1/settings',
  '/api/v1/secret/public/',
  '/locales/',
  '/assets/',
  '/account/',
]
const inUrl = (text: string) => text.replace(/[\s#]/g, '+')

const requests = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'POST', 'HEAD', 'OPTIONS'),
    path: fc.constantFrom(...PATHS),
    place: fc.constantFrom('path', 'query', ...HEADERS),
    text: value,
  })
  .map(({ method, path, place, text }) => {
    const url = place === 'path' ? path + inUrl(text) : place === 'query' ? `${path}?${inUrl(text)}` : path
    const headers = [...(place === 'Host' ? [] : ['Host: secrets.example.org']), 'Connection: close']
    const own = HEADERS.includes(place) ? [`${place}: ${text}`] : []
    return [`${method} ${url} HTTP/1.1`, ...headers, ...own, '', ''].join('\r\n')
  })

test('SEC-35: no value of a header, the path or the query costs more than 20 ms of CPU time', async () => {
  // Loads the code of the first requests.
  for (const path of PATHS) await send(`GET ${path} HTTP/1.1\r\nHost: secrets.example.org\r\nConnection: close\r\n\r\n`)
  await fc.assert(
    fc.asyncProperty(requests, async (text) => {
      expect(await cheapestAttempt(text)).toBeLessThan(MAX_MS)
    }),
    { numRuns: RUNS },
  )
}, 300_000)

test.each([
  ['Accept-Language', `${'aa,'.repeat(5_000)}`],
  ['Cookie', 'session=x; '.repeat(1_300)],
  ['X-Forwarded-For', '1.2.3.4, '.repeat(1_600)],
])('a long %s costs little', async (name, text) => {
  const head = `GET / HTTP/1.1\r\nHost: secrets.example.org\r\nConnection: close\r\n${name}: ${text}\r\n\r\n`
  expect(await cheapestAttempt(head)).toBeLessThan(MAX_MS)
})
