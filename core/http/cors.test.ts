/** Pages of other origins read responses of the API only when `corsOrigins` lists them, and never with credentials. */
import request from 'supertest'
import { expect, test } from 'vitest'
import { onMemory } from '#test/for-each-storage'

const LISTED = 'https://tools.example.org'
const OTHERS = [
  'null',
  'https://evil.example',
  'https://tools.example.org.evil.example',
  'https://eviltools.example.org',
  'http://tools.example.org',
  'https://tools.example.org:8443',
  'https://TOOLS.example.org',
  'https://tools.example.org/',
  '*',
  '',
  'https://secrets.example.org',
]

const PREFLIGHT = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' }
const PATHS = ['/api/v1/settings', '/api/secret', '/api/v1/nothing', '/healthz', '/', '/api/v1/openapi.json']

onMemory(
  (site) => {
    /** Names of the response headers that allow access. */
    const opened = async (method: 'get' | 'options' | 'post', path: string, origin: string, headers = {}) => {
      const response = await request(`http://127.0.0.1:${site.port}`)
        [method](path)
        .set({ Origin: origin, ...headers })
      return {
        names: Object.keys(response.headers).filter((name) => name.startsWith('access-control-')),
        response,
      }
    }

    test.each([[[]], [[LISTED]]])('SEC-17: with corsOrigins %j no other origin gets a CORS header', async (listed) => {
      await site.restart({ settings: { corsOrigins: listed } })
      for (const origin of listed.length === 0 ? [...OTHERS, LISTED] : OTHERS) {
        for (const path of PATHS) {
          expect((await opened('get', path, origin)).names).toEqual([])
          expect((await opened('options', path, origin, PREFLIGHT)).names).toEqual([])
        }
      }
    })

    test('a listed origin may read responses and errors and gets a preflight response', async () => {
      const { response } = await opened('get', '/api/v1/settings', LISTED)
      expect(response.headers['access-control-allow-origin']).toBe(LISTED)
      expect((await opened('post', '/api/v1/secret', LISTED)).response.headers['access-control-allow-origin']).toBe(
        LISTED,
      )
      const asked = await opened('options', '/api/v1/secret', LISTED, PREFLIGHT)
      expect(asked.response.status).toBe(204)
      expect(asked.response.headers).toMatchObject({
        'access-control-allow-origin': LISTED,
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': expect.stringMatching(/Content-Type.*Mayfly-Access/),
      })
      expect((await opened('get', '/', LISTED)).names).toEqual([])
    })

    test('SEC-17: no response allows credentials, and every response varies on Origin', async () => {
      for (const path of PATHS.filter((path) => path !== '/')) {
        for (const origin of [LISTED, 'https://evil.example']) {
          for (const asked of [await opened('get', path, origin), await opened('options', path, origin, PREFLIGHT)]) {
            expect(asked.names).not.toContain('access-control-allow-credentials')
            expect(asked.response.headers.vary?.split(/, */)).toContain('Origin')
          }
        }
      }
    })

    test('SEC-17: a listed origin cannot sign in or use the session cookie', async () => {
      const user = await site.app.signUp()
      const { Cookie = '' } = await site.app.as(user)
      const foreign = { Origin: LISTED, 'Sec-Fetch-Site': 'cross-site' }
      const { username, password } = user
      await site.call('POST', '/authentication/signin', foreign, { username, password }).expect(403)
      await site.call('POST', '/account/delete', { ...foreign, Cookie }, { password }).expect(403)
    })
  },
  { app: { settings: { corsOrigins: [LISTED] } } },
)
