/** SEC-19: the server sends nobody anywhere, whatever an address or a header asks for. */

import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeStorage, type TestStorage } from '#test/databases'
import { describeEachStorage } from '#test/for-each-engine'
import { type RunningServer, startServer } from '#test/start-server'

const EVIL = ['https://evil.example', '//evil.example', '/\\evil.example', 'https:evil.example', '\\\\evil.example']
const PATHS = [
  ...[
    '//evil.example',
    '///evil.example/',
    '/\\evil.example',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    '/.//evil.example',
  ],
  ...['/secret/..//evil.example', '/api//evil.example', '//evil.example/api/v1/settings', '/api/v1//evil.example/'],
  ...[
    '/%0d%0aLocation:%20https://evil.example',
    '/https:evil.example',
    '//evil.example/%2e%2e',
    '/account/',
    '/api',
    '/api/',
  ],
]
const NAMES = ['next', 'url', 'return', 'returnTo', 'redirect', 'redirect_uri', 'continue']

/** The head of the answer to an address as it is: a client would put it right before it is sent. */
function head({ port }: RunningServer, path: string, headers: string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1').on('error', reject)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => resolve(Buffer.concat(chunks).toString().split('\r\n\r\n')[0] ?? ''))
    const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close']
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  })
}

function expectNoRedirect(answer: string): void {
  expect(answer).toMatch(/^HTTP\/1\.1 (2|4)\d\d /)
  expect(answer).not.toMatch(/^(location|refresh|link|content-location):/im)
  expect(answer).not.toContain('evil')
}

describeEachStorage((name) => {
  let made: TestStorage
  let server: RunningServer
  beforeAll(async () => {
    made = await makeStorage(name)
    server = await startServer({ env: made.env })
  })
  afterAll(async () => {
    await server?.stop()
    await made?.drop()
  })

  test.each(PATHS)('%s', async (path) => expectNoRedirect(await head(server, path)))

  test.each(['/', '/account', '/api/v1/settings', '/api/v1/authentication/verify', '/nothing'])(
    '%s with any wish',
    async (path) => {
      for (const wish of EVIL) {
        const query = NAMES.map((name) => `${name}=${encodeURIComponent(wish)}`).join('&')
        expectNoRedirect(
          await head(server, `${path}?${query}`, [
            `Referer: ${wish}`,
            `X-Original-URL: ${wish}`,
            `X-Rewrite-URL: ${wish}`,
          ]),
        )
      }
    },
  )
})
