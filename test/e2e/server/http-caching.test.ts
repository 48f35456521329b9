/** A cache in front of the server stores no response about secrets or users, and keeps the assets of the app. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '#test/needs'
import { type RunningNginx, startNginx } from '#test/nginx'
import { type RunningServer, startServer } from '#test/start-server'

const PAGES = ['/', '/secret/a/b', '/account', '/nothing', '/robots', '/public', '/signin', '/stats']

describe('behind a caching proxy', needs('nginx'), () => {
  let server: RunningServer
  let nginx: RunningNginx
  beforeAll(async () => {
    server = await startServer()
    // Caches everything that the response allows.
    nginx = await startNginx(
      (port, folder) => `
      proxy_cache_path ${folder}/cache keys_zone=all:1m use_temp_path=off;
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://127.0.0.1:${server.port};
          proxy_cache all;
          proxy_cache_methods GET HEAD POST;
          proxy_cache_valid any 10m;
          add_header X-Cache $upstream_cache_status always;
        }
      }`,
    )
  })
  afterAll(async () => {
    await nginx?.stop()
    await server?.stop()
  })

  const stored = async () => (await readdir(join(nginx.folder, 'cache'))).length
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(nginx.url + path, { headers, redirect: 'manual' })
    return { response, text: await response.text() }
  }
  const post = (path: string, body: object) =>
    fetch(`${nginx.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
      body: JSON.stringify(body),
    })

  /** Every path with GET, for a user and a secret that exist. */
  async function addresses(id: string): Promise<string[]> {
    const { paths } = JSON.parse((await get('/api/v1/openapi.json')).text) as { paths: Record<string, object> }
    const calls = Object.entries(paths).filter(([, methods]) => 'get' in methods)
    expect(calls.length).toBeGreaterThan(15)
    const named = calls.map(([path]) =>
      path.replace('{id}', id).replace('{username}', 'alice').replace(/{\w+}/, 'none'),
    )
    const others = ['/api/secret/unknown', '/api/v1/nothing', '/api/v1/openapi.json', '/healthz', '/readyz']
    return [...PAGES, `/secret/${id}`, ...named.map((path) => `/api/v1${path}`), ...others]
  }

  test('SEC-18: no API response and no page is cached, for any user and any status', async () => {
    const account = { username: 'alice', email: 'alice@example.org', password: 'amber-river-94' }
    const signedUp = await post('/authentication/signup', account)
    const cookie = signedUp.headers.getSetCookie().map((each) => each.split(';')[0])
    expect([signedUp.status, cookie.length]).toEqual([200, 3])
    const created = await post('/secret', { text: 'x', ttl: 600, maxViews: 50 })
    const { id } = (await created.json()) as { id: string }
    for (const headers of [{}, {}, { cookie: cookie.join('; ') }, {}]) {
      for (const path of await addresses(id)) {
        const { response } = await get(path, headers)
        expect([path, response.headers.get('x-cache')]).toEqual([path, 'MISS'])
        expect([path, response.headers.get('cache-control')]).toEqual([path, 'no-store'])
      }
    }
    for (let n = 0; n < 2; n++) {
      const viewed = await post(`/secret/${id}`, { claim: `${n}${'A'.repeat(21)}` })
      expect([viewed.status, viewed.headers.get('x-cache')]).toEqual([200, 'MISS'])
      const refused = await post('/authentication/signin', { username: 'nobody', password: 'wrong' })
      expect(refused.headers.get('x-cache')).toBe('MISS')
    }
    expect(await stored()).toBe(0)
  })

  test('SEC-18: assets with a hash in their name are cached forever', async () => {
    const { text } = await get('/')
    const assets = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(assets.length).toBeGreaterThan(0)
    for (const path of assets) {
      await get(path)
      const { response } = await get(path)
      expect(response.headers.get('x-cache')).toBe('HIT')
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
    expect(await stored()).toBeGreaterThan(0)
  })
})
