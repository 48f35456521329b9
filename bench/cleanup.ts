/** Cleanup of a table in which most secrets have expired, while the server answers requests: speed, and latencies meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { type EngineName, makeDatabase, type TestDatabase } from '#test/databases'
import { type RunningServer, startServer } from '#test/start-server'
import { fillSecrets } from './fill-secrets.js'
import { type Connection, formatRequest, openConnection } from './http-client.js'
import { percentile } from './statistics.js'

export interface CleanupResult {
  engine: EngineName
  rows: number
  /** Deleted secrets, in the `seconds` from the first batch to the last, or to the end of the measurement. */
  deleted: number
  seconds: number
  /** p99 latencies in ms, before and during the cleanup. */
  quietP99Ms: number
  cleanupP99Ms: number
}

/** Share of the rows. */
export const EXPIRED_SHARE = 0.7
const TEXT = 'x'.repeat(700)
const HOUR_MS = 3_600_000
/** The expired rows expired within this time before the run. */
const SPREAD_MS = 1000
/** Alternates creates and views. */
const CALLS_PER_SECOND = 100

/** In seconds. `quiet`: time before the cleanup starts. `watch`: maximum time of the measurement after that. */
interface Times {
  quiet: number
  watch: number
}

/** Measures one engine after the other. */
export async function measureCleanup(engines: EngineName[], rows: number, times: Times): Promise<CleanupResult[]> {
  const results: CleanupResult[] = []
  for (const engine of engines) {
    const database = await makeDatabase(engine)
    await fill(database, rows)
    const env = { ...database.env, MAYFLY_LOG: 'warn', MAYFLY_SWEEP_SECONDS: String(times.quiet) }
    const server = await startServer({ env })
    const { left, ...seen } = await observe(server, database.db, times)
    results.push({ engine, rows, deleted: Math.floor(rows * EXPIRED_SHARE) - left, ...seen })
    await server.stop()
    await database.drop()
  }
  return results
}

/** The share EXPIRED_SHARE of the rows has expired. */
async function fill(database: TestDatabase, rows: number): Promise<void> {
  const { storage, close } = await database.open()
  await storage.migrate()
  const now = Date.now()
  const ended = Math.floor(rows * EXPIRED_SHARE)
  await fillSecrets(storage, rows, (index) => ({
    createdAt: now - HOUR_MS,
    expiresAt: index < ended ? now - (index % SPREAD_MS) : now + HOUR_MS,
  }))
  await close()
}

async function observe(
  server: RunningServer,
  db: Knex,
  { quiet, watch }: Times,
): Promise<Omit<CleanupResult, 'engine' | 'rows' | 'deleted'> & { left: number }> {
  const ready = performance.now()
  const traffic = await startTraffic(server.url)
  await sleep((quiet - 1) * 1000 - (performance.now() - ready))
  const before = traffic.latencies.splice(0)
  await sleep(1000)
  traffic.latencies.splice(0)
  const started = performance.now()
  const due = db('secrets').where('sweep_at', '<=', Date.now() - 1)
  const passed = () => (performance.now() - started) / 1000
  while (passed() < watch && (await due.clone().first('id'))) await sleep(200)
  const seconds = passed()
  const during = traffic.latencies.splice(0)
  await traffic.stop()
  const [{ left } = { left: 0 }] = await due.clone().count({ left: '*' })
  return {
    left: Number(left),
    seconds,
    quietP99Ms: percentile(before, 0.99),
    cleanupP99Ms: percentile(during, 0.99),
  }
}

/** Sends requests at a fixed rate, without waiting for responses. Returns latencies in ms, in the order in which they ended. */
async function startTraffic(url: string): Promise<{ latencies: number[]; stop(): Promise<void> }> {
  const { body } = await encryptSecret({ text: encodeText(TEXT), ttl: 3600 })
  const create = { path: '/api/v1/secret', body: JSON.stringify(body) }
  const views: { path: string; body: string }[] = []
  const latencies: number[] = []
  const idle: Connection[] = []
  const running = new Set<Promise<void>>()
  const call = async () => {
    const sent = performance.now()
    const connection = idle.pop() ?? openConnection(url)
    const view = views.length > CALLS_PER_SECOND ? views.shift() : undefined
    const response = await connection.send(formatRequest(url, { method: 'POST', ...(view ?? create) }))
    if (response.status >= 300) throw new Error(`status ${response.status}: ${response.body}`)
    const answer = JSON.parse(response.body)
    latencies.push(performance.now() - sent)
    idle.push(connection)
    const reading = JSON.stringify({ access: body.access, claim: newClaim() })
    if (!view) views.push({ path: `/api/v1/secret/${answer.id}`, body: reading })
  }
  const timer = setInterval(() => {
    const one = call()
    running.add(one)
    void one.finally(() => running.delete(one))
  }, 1000 / CALLS_PER_SECOND)
  return {
    latencies,
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      for (const connection of idle) connection.close()
    },
  }
}
