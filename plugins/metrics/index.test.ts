/** What the numbers say, who may read them, and that no caller can make them grow. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import supertest from 'supertest'
import { afterEach, expect, test } from 'vitest'
import type { Plugin } from '#core'
import { freePort } from '#core/host'
import { builtIns } from '#plugins'
import { makeDatabase } from '#test/databases'
import { startServer } from '#test/start-server'
import { type TestApp, testApp } from '#test/test-app'
import metrics from './index.js'

const memory = (await builtIns.memory()).default as Plugin

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** An instance whose numbers are at `url`. */
async function instance(storage: Plugin = memory, options: object = {}): Promise<{ app: TestApp; url: string }> {
  const port = await freePort()
  const plugin = {
    ...metrics,
    setup: (_: unknown, host: never) => metrics.setup(metrics.options.parse({ port, ...options }), host),
  }
  const app = await testApp(storage, { plugins: [plugin as Plugin] })
  closing.push(app.close)
  return { app, url: `http://127.0.0.1:${port}/metrics` }
}

const read = async (url: string) => (await fetch(url)).text()
/** The lines about Mayfly with a value other than 0, without the times that requests took. */
const lines = async (url: string) =>
  (await read(url)).split('\n').filter((line) => /^mayfly_/.test(line) && !/ 0$|seconds|_bytes/.test(line))

const aPublicOne = { isPublic: true, text: 'hello', ttl: 3600 }

test('they count what happens, by the pattern of the route', async () => {
  const { app, url } = await instance()
  const api = supertest(app.handler)
  const { body } = await api.post('/api/v1/secret').send(aPublicOne).expect(201)
  await api.get(`/api/v1/secret/${body.id}`).expect(200)
  await api.get('/api/v1/nothing/here').expect(404)
  await app.services.sweeper.sweep()
  const text = await read(url)
  expect(text).not.toContain(body.id)
  expect(await lines(url)).toEqual(
    expect.arrayContaining([
      'mayfly_secrets_created_total{kind="public"} 1',
      'mayfly_secrets_viewed_total 1',
      'mayfly_sweeps_total 1',
      'mayfly_up{part="storage"} 1',
      'mayfly_http_requests_total{method="POST",route="/api/v1/secret",status="201"} 1',
      'mayfly_http_requests_total{method="GET",route="/api/v1/secret/:id",status="200"} 1',
      'mayfly_http_requests_total{method="GET",route="page",status="404"} 1',
    ]),
  )
  expect(text).toMatch(/^mayfly_last_sweep_timestamp_seconds \d{10}/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
})

test('a part that does not answer is 0, and its database says how many connections there are', async () => {
  const database = await makeDatabase('sqlite')
  closing.push(database.drop)
  const { app, url } = await instance(database.storage)
  expect(await lines(url)).toContain('mayfly_up{part="storage"} 1')
  expect(await read(url)).toMatch(/^mayfly_database_connections\{state="idle"\} \d+$/m)
  app.storage.ping = () => Promise.reject(new Error('away'))
  expect(await read(url)).toContain('mayfly_up{part="storage"} 0')
})

test('callers cannot add to them: 3,000 addresses, methods and names are one line each kind', async () => {
  const { app, url } = await instance()
  const server = app.handler
  const api = supertest.agent(server)
  await api.get('/api/v1/secret/x')
  await api.get('/x')
  const before = (await lines(url)).length
  for (let n = 0; n < 1000; n++) {
    const name = randomBytes(9).toString('base64url')
    await api.get(`/api/v1/secret/${name}`)
    await api.get(`/${name}`).set('Accept-Language', name)
    await api.trace(`/api/v1/${name}`)
  }
  expect((await lines(url)).length).toBeLessThanOrEqual(before + 1)
})

test('with a token, only its holder reads them; elsewhere and otherwise there is nothing', async () => {
  const token = 'a token of sixteen'
  const { url } = await instance(undefined, { token })
  const status = async (address: string, init?: RequestInit) => (await fetch(address, init)).status
  const headers = { Authorization: `Bearer ${token}` }
  expect(await status(url, { headers })).toBe(200)
  expect(await status(url)).toBe(401)
  expect(await status(url, { headers: { Authorization: `Bearer ${token}.` } })).toBe(401)
  expect(await status(url, { headers, method: 'POST' })).toBe(405)
  expect(await status(url.replace('/metrics', '/'), { headers })).toBe(404)
  // What is no address ends nothing.
  const { port } = new URL(url)
  const odd = await new Promise((resolve) =>
    request({ port, host: '127.0.0.1', path: '//' }, (res) => resolve(res.statusCode)).end(),
  )
  expect(odd).toBe(404)
  expect(metrics.options.safeParse({ token: 'short' }).success).toBe(false)
})

test('each worker has a port of its own, from the first on', async () => {
  const port = await freePort()
  const env = { MAYFLY_PLUGINS: 'web,metrics', MAYFLY_METRICS_PORT: String(port), MAYFLY_WORKERS: '2' }
  const server = await startServer({ env })
  closing.push(server.stop)
  const ports = [...server.log().matchAll(/127\.0\.0\.1:(\d+)\/metrics/g)].map(([, each]) => Number(each)).sort()
  expect(new Set(ports).size).toBe(2)
  expect(ports[0]).toBe(port)
  for (const each of ports)
    expect(await read(`http://127.0.0.1:${each}/metrics`)).toContain('mayfly_up{part="files"} 1')
})
