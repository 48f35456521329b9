/** The server never redirects to another site, for any path, query and header. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, startServer } from '#test/start-server'

const EVIL = ['https://evil.example', '//evil.example', '/\\evil.example', 'https:evil.example', '\\\\evil.example']
const PATHS = [
  '//evil.example',
  '///evil.example/',
  '/\\evil.example',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '/.//evil.example',
  '/secret/..//evil.example',
  '/api//evil.example',
  '//evil.example/api/v1/settings',
  '/api/v1//evil.example/',
  '/%0d%0aLocation:%20https://evil.example',
  '/https:evil.example',
  '//evil.example/%2e%2e',
  '/account/',
  '/api',
  '/api/',
]
const NAMES = ['next', 'url', 'return', 'returnTo', 'redirect', 'redirect_uri', 'continue']

/** The response head for a raw path, which an HTTP client would normalize. */
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

function expectNoRedirect(response: string): void {
  expect(response).toMatch(/^HTTP\/1\.1 (2|4)\d\d /)
  expect(response).not.toMatch(/^(location|refresh|link|content-location):/im)
  expect(response).not.toContain('evil')
}

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ env: { MAYFLY_LOG: 'error' } })
})
afterAll(() => server?.stop())

test.concurrent.each(PATHS)('SEC-19: GET %s does not redirect', async (path) =>
  expectNoRedirect(await head(server, path)),
)

test.concurrent.each(['/', '/account', '/api/v1/settings', '/api/v1/authentication/verify', '/nothing'])(
  'SEC-19: GET %s ignores addresses in parameters and headers',
  async (path) => {
    for (const address of EVIL) {
      const query = NAMES.map((name) => `${name}=${encodeURIComponent(address)}`).join('&')
      const headers = ['Referer', 'X-Original-URL', 'X-Rewrite-URL'].map((name) => `${name}: ${address}`)
      expectNoRedirect(await head(server, `${path}?${query}`, headers))
    }
  },
)
