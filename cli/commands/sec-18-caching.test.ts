/** SEC-18: a cache in front stores nothing that is about secrets or people, and keeps the files of the app. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningNginx, startNginx } from '#core/testing/nginx'
import { type RunningServer, startServer } from '#core/testing/serve'

let server: RunningServer
let nginx: RunningNginx
beforeAll(async () => {
  server = await startServer()
  // Whatever the answer does not forbid is kept.
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
const post = (path: string, body: object) =>
  fetch(`${nginx.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

test('nothing of the API and no page is stored, whatever it answers', async () => {
  const created = await post('/secret', { text: 'x', ttl: 600, maxViews: 50 })
  const { id } = (await created.json()) as { id: string }
  const paths = [
    ...['/', `/secret/${id}`, '/secret/a/b', '/account', '/nothing', '/robots', '/public'],
    ...[`/api/v1/secret/${id}`, `/api/v1/secret/${id}/exist`, '/api/v1/secret/public', '/api/secret/unknown'],
    ...['/api/v1/settings', '/api/v1/account', '/api/v1/admin/users', '/api/v1/openapi.json', '/api/v1/stats'],
    ...['/api/v1/nothing', '/healthz', '/readyz'],
  ]
  for (const path of [...paths, ...paths]) {
    const answer = await fetch(nginx.url + path)
    await answer.arrayBuffer()
    expect([path, answer.headers.get('x-cache')]).toEqual([path, 'MISS'])
    expect([path, answer.headers.get('cache-control')]).toEqual([path, 'no-store'])
  }
  for (let n = 0; n < 2; n++) {
    const viewed = await post(`/secret/${id}`, { claim: `${n}${'A'.repeat(21)}` })
    expect([viewed.status, viewed.headers.get('x-cache')]).toEqual([200, 'MISS'])
    const refused = await post('/authentication/signin', { username: 'nobody', password: 'wrong' })
    expect(refused.headers.get('x-cache')).toBe('MISS')
  }
  expect(await stored()).toBe(0)
})

test('files of the app whose name tells their content are kept for ever', async () => {
  const page = await (await fetch(nginx.url)).text()
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
  expect(assets.length).toBeGreaterThan(0)
  for (const path of assets) {
    await (await fetch(nginx.url + path)).arrayBuffer()
    const again = await fetch(nginx.url + path)
    expect(again.headers.get('x-cache')).toBe('HIT')
    expect(again.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  }
  expect(await stored()).toBeGreaterThan(0)
})
