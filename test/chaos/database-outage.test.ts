/**
 * A server whose database goes away under load: stopped, frozen, or with every connection cut. It returns 503 in time,
 * says that it is alive without waiting for the database, recovers by itself, and grants no view twice.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseServer, type ServerName, startDatabaseServer } from '#test/database-server'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { needs } from '#test/needs'
import { type RunningServer, startServer } from '#test/start-server'

const LANES = 6
const OUTAGE_MS = 10_000
/** The limits that the server promises. The time of `/healthz`, which does not use the database, is added to them. */
const ANSWER_MS = 5_000
const RECOVERY_MS = 5_000
/** `/healthz` takes less than half a second on a busy machine. A call of a frozen database takes 4.5 s. */
const HEALTHY_MS = 3_000

interface Answer {
  status: number
  ms: number
  retryAfter: string | null
  json: { id: string } | null
}

// Each on a server of its own, and both wait most of the time.
describe.concurrent.each<ServerName>(['postgres', 'mysql'])('%s', (name) => {
  describe('on a server of its own', needs(name === 'postgres' ? 'postgresServer' : 'mariadbServer'), () => {
    let database: DatabaseServer
    let made: TestDatabase
    let server: RunningServer
    beforeAll(async () => {
      database = await startDatabaseServer(name)
      made = await makeDatabase(name, database.url)
      server = await startServer({ env: { ...made.env, MAYFLY_PLUGINS: ',', MAYFLY_LOG: 'error' } })
    })
    afterAll(async () => {
      isOver = true
      await server.kill()
      await made.db.destroy()
      await database.end()
    })

    async function call(method: string, path: string, body?: object): Promise<Answer> {
      const began = Date.now()
      const response = await fetch(server.url + path, {
        method,
        ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      const json = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null
      return { status: response.status, ms: Date.now() - began, retryAfter: response.headers.get('retry-after'), json }
    }
    const responses: Answer[] = []
    /** Claims that were granted a view, by secret. */
    const granted = new Map<string, number>()
    let isOver = false
    /** Of `/healthz`, which does not use the database: how busy the machine is. */
    let slowestControlMs = 0

    async function control(): Promise<void> {
      while (!isOver) {
        const healthy = await call('GET', '/healthz')
        expect(healthy.status).toBeLessThan(300)
        slowestControlMs = Math.max(slowestControlMs, healthy.ms)
        await setTimeout(100)
      }
    }

    /** Creates secrets of one view and asks for each with two claims, each until it is granted or refused. */
    async function load(): Promise<void> {
      while (!isOver) {
        const created = await call('POST', '/api/v1/secret', { text: 'sécret ☃', ttl: 3600 })
        responses.push(created)
        if (created.status !== 201) {
          await setTimeout(100)
          continue
        }
        const { id } = created.json as { id: string }
        granted.set(id, 0)
        await Promise.all([ask(id), ask(id)])
      }
    }
    async function ask(id: string): Promise<void> {
      const claim = randomBytes(16).toString('base64url')
      for (;;) {
        const viewed = await call('POST', `/api/v1/secret/${id}`, { claim })
        responses.push(viewed)
        if (viewed.status === 200) granted.set(id, (granted.get(id) ?? 0) + 1)
        if (viewed.status !== 503) return
        await setTimeout(100)
      }
    }
    async function recovery(): Promise<number> {
      const began = Date.now()
      while ((await call('GET', '/readyz')).status >= 300) await setTimeout(50)
      while ((await call('POST', '/api/v1/secret', { text: 'ä', ttl: 60 })).status !== 201) await setTimeout(50)
      return Date.now() - began
    }
    async function expectDown(until: number): Promise<void> {
      // Requests that were running before may still succeed.
      await setTimeout(ANSWER_MS)
      while (Date.now() < until) {
        const [ready, created] = await Promise.all([
          call('GET', '/readyz'),
          call('POST', '/api/v1/secret', { text: 'ä', ttl: 60 }),
        ])
        for (const refused of [ready, created]) {
          expect(refused).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[1-9]\d*$/) })
          responses.push(refused)
        }
        await setTimeout(200)
      }
    }

    test('REL-07: requests during an outage return 503 in time, and no view counts twice', async () => {
      const lanes = Promise.all([control(), ...Array.from({ length: LANES }, load)])
      // For a test that fails before it waits for them.
      lanes.catch(() => {})
      await setTimeout(1_000)
      const back: Record<string, number> = {}

      let until = Date.now() + OUTAGE_MS
      await database.stop()
      await expectDown(until)
      await database.start()
      back.stopped = await recovery()

      await setTimeout(500)
      until = Date.now() + OUTAGE_MS
      database.pause()
      await expectDown(until)
      database.resume()
      back.frozen = await recovery()

      await setTimeout(500)
      await CUT[name](made)
      back.cut = await recovery()

      isOver = true
      await lanes
      expect(slowestControlMs, '/healthz').toBeLessThan(HEALTHY_MS)
      const slack = 500 + 3 * slowestControlMs
      for (const [what, ms] of Object.entries(back)) expect(ms, what).toBeLessThan(RECOVERY_MS + slack)
      expect([...new Set(responses.map(({ status }) => status))].sort()).toEqual([200, 201, 404, 503])
      const refused = responses.filter(({ status }) => status === 503)
      expect(refused.filter(({ ms, retryAfter }) => ms > ANSWER_MS + slack || retryAfter === null)).toEqual([])
      // Exactly one of the two claims was granted.
      expect([...granted.values()].filter((count) => count !== 1)).toEqual([])
      expect((await made.db('secrets').where('views', '>', made.db.ref('max_views'))).length).toBe(0)
    }, 180_000)
  })
})

const CUT: Record<ServerName, (database: TestDatabase) => Promise<unknown>> = {
  postgres: ({ db }) =>
    db.raw("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mayfly'"),
  async mysql({ db }) {
    const others = db('information_schema.processlist')
      .whereNot('id', db.raw('connection_id()'))
      .where({ db: db.raw('database()') })
    for (const id of await others.pluck('id')) await db.raw(`kill ${Number(id)}`).catch(() => {})
  },
}
