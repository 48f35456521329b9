/** Instances that share a Redis server: rate limits, changed settings, and an outage of Redis. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import request from 'supertest'
import { afterEach, describe, expect, test } from 'vitest'
import type { Plugin } from '#core'
import { makeDatabase } from '#test/databases'
import { freePort } from '#test/free-port'
import { needs } from '#test/needs'
import { hasRedis, REDIS_URL, startRedisProxy } from '#test/redis'
import { type TestApp, testApp } from '#test/test-app'
import redis from './index.js'

const LISTENER = { username: 'zoë', address: null }

describe('instances with Redis', needs('redis'), () => {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  /** Processes of one instance, on one database. */
  async function startInstances(count: number, url = REDIS_URL): Promise<TestApp[]> {
    const prefix = `test:${randomUUID()}:`
    const setup: Plugin['setup'] = (_, context) => redis.setup(redis.options.parse({ url, prefix }), context)
    const plugin = { ...redis, setup } as unknown as Plugin
    const database = await makeDatabase('sqlite')
    closing.push(database.drop)
    const apps: TestApp[] = []
    for (let index = 0; index < count; index++) {
      const app = await testApp(database.storage, { plugins: [plugin], settings: { limits: 'redis' }, now: Date.now() })
      closing.push(app.close)
      apps.push(app)
    }
    return apps
  }

  const peek = (app: TestApp) => request(app.handler).get(`/api/v1/secret/${'A'.repeat(22)}/exist`)

  /** Numbers of granted requests for each instance, until one is refused. */
  async function countGranted(apps: TestApp[], max: number): Promise<number> {
    for (let granted = 0; granted < max; granted++) {
      const { status } = await peek(apps[granted % apps.length] as TestApp)
      if (status === 429) return granted
    }
    return max
  }

  test('two processes grant the limit together, and the database counts nothing', async () => {
    const apps = await startInstances(2)
    const [one] = apps as [TestApp]
    // 120 responses "no such secret" per hour. Each process may have reserved points that the other lacks.
    const granted = await countGranted(apps, 200)
    expect(granted).toBeGreaterThan(80)
    expect(granted).toBeLessThanOrEqual(121)
    expect(await one.storage.limits.deleteExpired(Date.now() + 10 ** 9, 10)).toBe(0)
  })

  test('a changed setting applies in the other process within 100 ms', async () => {
    const [one, other] = (await startInstances(2)) as [TestApp, TestApp]
    const times: number[] = []
    for (let round = 0; round < 11; round++) {
      const read_only = round % 2 === 0
      // The process reads the settings here and caches them for the rest of the test, because its clock is stopped.
      expect((await other.settings.current()).read_only).toBe(!read_only)
      const startedAt = performance.now()
      await one.settings.update({ read_only }, LISTENER)
      while ((await other.settings.current()).read_only !== read_only) await sleep(2)
      times.push(performance.now() - startedAt)
    }
    expect(times.sort((a, b) => a - b)[5]).toBeLessThan(100)
  })

  test('a new public secret is in the list of the other process', async () => {
    const [one, other] = (await startInstances(2)) as [TestApp, TestApp]
    const listed = async (app: TestApp) => (await request(app.handler).get('/api/v1/secret/public')).body.length
    expect(await listed(other)).toBe(0)
    const secret = { isPublic: true, text: '☃', ttl: 60 }
    await request(one.handler).post('/api/v1/secret').send(secret).expect(201)
    await expect.poll(() => listed(other)).toBe(1)
  })

  test('while Redis is down, each process counts for itself, and afterwards together again', async () => {
    const proxy = await startRedisProxy()
    const apps = await startInstances(1, proxy.url)
    const [app] = apps as [TestApp]
    expect((await peek(app)).status).toBe(404)
    await proxy.stop()
    const startedAt = performance.now()
    expect((await peek(app)).status).toBe(404)
    expect(performance.now() - startedAt).toBeLessThan(2000)
    // A quarter of 120, and a tenth that the process had reserved.
    expect(await countGranted(apps, 100)).toBeLessThanOrEqual(30 + 12)
    expect(app.logged.join('')).toContain('rate-limit store failed, each process counts for itself')
    expect(app.logged.join('')).not.toContain(new URL(proxy.url).port)
    await app.settings.update({ read_only: true }, LISTENER)
    await proxy.start()
    closing.push(proxy.stop)
    await expect
      .poll(
        async () => {
          app.clock.now += 6000
          await peek(app)
          return app.logged.join('')
        },
        { timeout: 20_000, interval: 500 },
      )
      .toContain('rate-limit store responds again')
  })

  test('an instance starts while Redis is down, and wrong credentials stop the start', async () => {
    const proxy = await startRedisProxy()
    await proxy.stop()
    const [app] = (await startInstances(1, proxy.url)) as [TestApp]
    expect((await peek(app)).status).toBe(404)
    const url = new URL(REDIS_URL)
    url.username = 'unknown'
    url.password = 'wrong'
    await expect(startInstances(1, url.href)).rejects.toThrow(
      'Plugin "redis" did not start: the server refuses the credentials of url',
    )
  })

  test.each([
    ['cluster', ['--cluster-enabled', 'yes']],
    ['sentinel', ['--sentinel']],
  ])('a server in the mode %s stops the start', needs('redisServer'), async (mode, args) => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-redis-'))
    closing.push(() => rm(folder, { recursive: true, force: true }))
    const port = await freePort()
    // A sentinel requires a writable file.
    const file = join(folder, 'redis.conf')
    await writeFile(file, `port ${port}\nbind 127.0.0.1\ndir ${folder}\n`)
    const child = spawn('redis-server', [file, ...args], { stdio: 'ignore' })
    closing.push(async () => void child.kill('SIGKILL'))
    const url = `redis://127.0.0.1:${port}`
    await expect.poll(() => hasRedis(url), { timeout: 20_000 }).toBe(true)
    await expect(startInstances(1, url)).rejects.toThrow(`runs in the mode "${mode}", which is not supported`)
  })
})
