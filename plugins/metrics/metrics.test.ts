/** Values of the metrics, access to them, and a bound on their number. */
import { randomBytes } from 'node:crypto'
import { rm, statfs } from 'node:fs/promises'
import { request } from 'node:http'
import supertest from 'supertest'
import { afterEach, expect, test } from 'vitest'
import { type Plugin, z } from '#core'
import { recordBackup } from '#core/backup'
import { type AppSettings, freePort } from '#core/runtime'
import { anUpload } from '#core/testing/lib/fixtures'
import manifest from '#package' with { type: 'json' }
import { makeDatabase } from '#test/databases'
import { memory } from '#test/memory-plugin'
import { startServer } from '#test/start-server'
import { type TestApp, testApp } from '#test/test-app'
import { createInstanceFolder, USER_COMMAND_ENV } from '#test/user-commands'
import metrics from './index.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** An instance with its metrics at `url`. */
async function startInstance(
  storage: Plugin = memory,
  options: object = {},
  settings: Partial<AppSettings> = {},
  plugins: Plugin[] = [],
): Promise<{ app: TestApp; url: string }> {
  const port = await freePort()
  const plugin = {
    ...metrics,
    setup: (_: unknown, host: never) => metrics.setup(metrics.options.parse({ port, ...options }), host),
  }
  const app = await testApp(storage, { plugins: [plugin as Plugin, ...plugins], settings })
  closing.push(app.close)
  return { app, url: `http://127.0.0.1:${port}/metrics` }
}

const readMetrics = async (url: string) => (await fetch(url)).text()
/** The lines of Mayfly's own metrics with a value other than 0, without durations. */
const lines = async (url: string) =>
  (await readMetrics(url)).split('\n').filter((line) => /^mayfly_/.test(line) && !/ 0$|seconds|_bytes/.test(line))

const PUBLIC_SECRET = { isPublic: true, text: 'hello', ttl: 3600 }

test('metrics show the bytes of all files and their limit', async () => {
  const { app, url } = await startInstance(memory, {}, { instanceBytes: 5000 })
  const limits = { open: 1, bytes: null, windowMs: 1, storedBytes: null }
  await app.storage.attachments.reserve(anUpload({ size: 1234 }), limits, app.clock.now)
  const text = await readMetrics(url)
  expect(text).toContain('\nmayfly_attachment_bytes 1234\n')
  expect(text).toContain('\nmayfly_attachment_bytes_limit 5000\n')
  app.storage.attachments.sumBytes = () => Promise.reject(new Error('away'))
  expect(await readMetrics(url)).toContain('\nmayfly_attachment_bytes 1234\n')
})

test('metrics show the version and the number of live secrets', async () => {
  const { app, url } = await startInstance()
  expect(await lines(url)).toContain(`mayfly_build_info{version="${manifest.version}",role="all"} 1`)
  await supertest(app.handler).post('/api/v1/secret').send(PUBLIC_SECRET).expect(201)
  app.clock.now += 60 * 60_000 - 1
  expect(await lines(url)).toContain('mayfly_secrets_live 1')
})

test('metrics count refusals by the name of the rate limit', async () => {
  const { app, url } = await startInstance(memory, {}, { limits: '' })
  const api = supertest(app.handler)
  for (let n = 0; n < 32; n++) await api.post('/api/v1/secret').send(PUBLIC_SECRET)
  expect(await lines(url)).toContain('mayfly_rate_limit_hits_total{rule="secret-create"} 2')
})

test('metrics count failed sign-ins without names', async () => {
  const { app, url } = await startInstance()
  const user = await app.signUp()
  const signIn = (password: string) =>
    supertest(app.handler)
      .post('/api/v1/authentication/signin')
      .set('Origin', 'https://secrets.example.org')
      .send({ username: user.username, password })
  await signIn(user.password).expect(200)
  expect(await readMetrics(url)).not.toContain('mayfly_sign_ins_failed_total{')
  await signIn('wröng ☃').expect(401)
  await signIn('wröng ☃').expect(401)
  expect(await lines(url)).toContain('mayfly_sign_ins_failed_total{provider="password"} 2')
  expect(await readMetrics(url)).not.toContain(user.username)
})

test('metrics show the free space of the data folder, and nothing while it is missing', async () => {
  const { app, url } = await startInstance()
  const { bavail, bsize } = await statfs(app.dataDir)
  const free = () => readMetrics(url).then((text) => /^mayfly_disk_free_bytes\{folder="data"\} (\S+)$/m.exec(text)?.[1])
  // Other programs use the same disk.
  expect(Number(await free()) / (bavail * bsize)).toBeCloseTo(1, 1)
  await rm(app.dataDir, { recursive: true })
  expect(await free()).toBeUndefined()
})

test('metrics show when the last backup was written', async () => {
  const { app, url } = await startInstance()
  expect(await readMetrics(url)).toContain('\nmayfly_last_backup_timestamp_seconds 0\n')
  await recordBackup(app.storage.instanceState, 1_767_225_600_000)
  expect(await readMetrics(url)).toContain('\nmayfly_last_backup_timestamp_seconds 1767225600\n')
  app.storage.instanceState.get = () => Promise.reject(new Error('away'))
  expect(await readMetrics(url)).toContain('\nmayfly_last_backup_timestamp_seconds 1767225600\n')
})

test('metrics show the waiting and the dropped events of each subscriber', async () => {
  const deliver = async () => ({ isDelivered: false, result: 'HTTP 503' })
  const hook: Plugin = {
    contract: 1,
    name: 'hook',
    options: z.object({}),
    setup: () => ({ channels: [{ name: 'hook', to: 'operator', types: ['secret.created'], deliver }] }),
  }
  const { app, url } = await startInstance(memory, {}, { maxWaitingEvents: 2 }, [hook])
  const create = () => supertest(app.handler).post('/api/v1/secret').send(PUBLIC_SECRET).expect(201)
  for (let count = 0; count < 2; count++) await create()
  await app.background.eventLimit.run()
  for (let count = 0; count < 3; count++) await create()
  const found = await lines(url)
  expect(found).toContain('mayfly_events_waiting{subscriber="hook"} 2')
  expect(found).toContain('mayfly_events_dropped_total{subscriber="hook"} 3')
  expect(await lines(url)).toContain('mayfly_events_dropped_total{subscriber="hook"} 3')
  // A tenth of the limit, rounded up, is stored.
  expect(await app.storage.outbox.list({ state: 'dead' }, { skip: 0, take: 9 })).toMatchObject([
    { subscriber: 'hook', result: 'queue full' },
  ])
})

test('metrics count requests by route pattern, and events of secrets', async () => {
  const { app, url } = await startInstance()
  const api = supertest(app.handler)
  const { body } = await api.post('/api/v1/secret').send(PUBLIC_SECRET).expect(201)
  await api.get(`/api/v1/secret/${body.id}`).expect(200)
  await api.get('/api/v1/nothing/here').expect(404)
  await app.background.cleanup.run()
  const text = await readMetrics(url)
  expect(text).not.toContain(body.id)
  expect(await lines(url)).toEqual(
    expect.arrayContaining([
      'mayfly_secrets_created_total{kind="public"} 1',
      'mayfly_secrets_viewed_total 1',
      'mayfly_cleanups_total 1',
      'mayfly_up{part="storage"} 1',
      'mayfly_http_requests_total{method="POST",route="/api/v1/secret",status="201"} 1',
      'mayfly_http_requests_total{method="GET",route="/api/v1/secret/:id",status="200"} 1',
      'mayfly_http_requests_total{method="GET",route="page",status="404"} 1',
    ]),
  )
  expect(text).toMatch(/^mayfly_last_cleanup_timestamp_seconds \d{10}/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
})

test('mayfly_up is 0 when the storage fails, and database_connections reports the pool, and build_info names the driver', async () => {
  const database = await makeDatabase('sqlite')
  closing.push(database.drop)
  const { app, url } = await startInstance(database.storage)
  expect(await lines(url)).toContain('mayfly_up{part="storage"} 1')
  const text = await readMetrics(url)
  expect(text).toMatch(/^mayfly_database_connections\{state="idle"\} \d+$/m)
  expect(text).toMatch(
    /^mayfly_build_info\{version="[\d.]+",role="all",database="(sqlite3|node:sqlite), SQLite 3\.[\d.]+"\} 1$/m,
  )
  app.storage.ping = () => Promise.reject(new Error('away'))
  // The health of a component is checked once per second.
  app.clock.now += 1000
  expect(await readMetrics(url)).toContain('mayfly_up{part="storage"} 0')
})

test('SEC-41: unknown paths, ids and methods add at most one line in total', async () => {
  const { app, url } = await startInstance()
  const server = app.handler
  const api = supertest.agent(server)
  await api.get('/api/v1/secret/x')
  await api.get('/x')
  const before = (await lines(url)).length
  for (let n = 0; n < 100; n++) {
    const name = randomBytes(9).toString('base64url')
    await Promise.all([
      api.get(`/api/v1/secret/${name}`),
      api.get(`/${name}`).set('Accept-Language', name),
      api.trace(`/api/v1/${name}`),
    ])
  }
  expect((await lines(url)).length).toBeLessThanOrEqual(before + 1)
})

test('V13.4.1: metrics server accepts only GET /metrics with the right token', async () => {
  const token = 'a token of sixteen'
  const { url } = await startInstance(undefined, { token })
  const status = async (address: string, init?: RequestInit) => (await fetch(address, init)).status
  const headers = { Authorization: `Bearer ${token}` }
  expect(await status(url, { headers })).toBe(200)
  expect(await status(url)).toBe(401)
  expect(await status(url, { headers: { Authorization: `Bearer ${token}.` } })).toBe(401)
  expect(await status(url, { headers, method: 'POST' })).toBe(405)
  expect(await status(url.replace('/metrics', '/'), { headers })).toBe(404)
  // An invalid URL does not crash the server.
  const { port } = new URL(url)
  const odd = await new Promise((resolve) =>
    request({ port, host: '127.0.0.1', path: '//' }, (res) => resolve(res.statusCode)).end(),
  )
  expect(odd).toBe(404)
  expect(metrics.options.safeParse({ token: 'short' }).success).toBe(false)
})

test('metrics server accepts requests for IP addresses, localhost and allowed hosts only', async () => {
  const { url } = await startInstance(undefined, { allowedHosts: 'Mayfly, metrics.example.org' })
  const { port } = new URL(url)
  const status = (Host: string[]) =>
    new Promise((resolve) => {
      const headers = Host.flatMap((value) => ['Host', value])
      request({ port, host: '127.0.0.1', path: '/metrics', headers }, (res) => resolve(res.resume().statusCode)).end()
    })
  for (const name of [
    `127.0.0.1:${port}`,
    'localhost',
    `[::1]:${port}`,
    '10.0.0.7',
    'mayfly:9464',
    'METRICS.example.org',
  ]) {
    expect(await status([name]), name).toBe(200)
  }
  for (const name of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.example', '[evil]', 'user@localhost']) {
    expect(await status([name]), name).toBe(421)
  }
})

test('a command does not open a port', async () => {
  const { url } = await startInstance()
  const instance = await createInstanceFolder()
  closing.push(instance.remove)
  const env = { ...USER_COMMAND_ENV, MAYFLY_PLUGINS: 'metrics', MAYFLY_METRICS_PORT: new URL(url).port }
  expect(await instance.mayfly(['user', 'list'], '', env)).toMatchObject({ stdout: '', code: 0 })
})

test('each worker listens on its own port, starting at the configured port', async () => {
  const port = await freePort()
  const env = { MAYFLY_PLUGINS: 'web,metrics', MAYFLY_METRICS_PORT: String(port), MAYFLY_WORKERS: '2' }
  const server = await startServer({ env })
  closing.push(server.stop)
  const ports = [...server.log().matchAll(/127\.0\.0\.1:(\d+)\/metrics/g)].map(([, each]) => Number(each)).sort()
  expect(new Set(ports).size).toBe(2)
  expect(ports[0]).toBe(port)
  for (const each of ports)
    expect(await readMetrics(`http://127.0.0.1:${each}/metrics`)).toContain('mayfly_up{part="files"} 1')
})
