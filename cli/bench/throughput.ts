/** Creates and views per second, beside what the bare machine does with the same bytes. */
import { startServer } from '#core/testing/serve'
import { encodeText } from '#shared/envelope'
import { seal } from '#shared/sealing'
import type { InsertJob } from './bare.js'
import type { LoadJob, Round } from './load.js'
import { inProcess } from './process.js'
import { median, percentile, spread } from './statistics.js'

export interface Throughput {
  what: 'create' | 'view'
  bytes: number
  concurrency: number
  /** Median of the rounds. */
  perSecond: number
  spread: number
  p50Ms: number
  p99Ms: number
  /** Share of what the bare HTTP server reaches with the same bytes and concurrency. */
  ofBareHttp: number
  /** Share of the inserts per second that one connection to SQLite reaches alone. */
  ofBareInsert: number
}

export interface Effort {
  rounds: number
  /** Of one round with small texts and several at a time; the others take fewer. */
  requests: number
}

const CONCURRENCY = [1, 16, 64]

/** Both calls with texts of this size, each on a server and a database of their own. */
export async function throughput(bytes: number, { rounds, requests }: Effort): Promise<Throughput[]> {
  const isLarge = bytes > 10_000
  const { body } = await seal({ text: encodeText('x'.repeat(bytes)), ttl: 3600 })
  const insertJob: InsertJob = { bytes: body.text.length, inserts: Math.ceil(requests / 4), rounds }
  const inserts = await inProcess<InsertJob, number[]>('bare-sqlite', insertJob)
  inserts.stop()
  const rows: Throughput[] = []
  for (const what of ['create', 'view'] as const) {
    for (const concurrency of CONCURRENCY) {
      const count = Math.ceil((requests / (isLarge ? 4 : 1)) * (concurrency === 1 ? 0.25 : 1))
      const job = { bytes, concurrency, rounds, requests: count }
      const own = await onServer({ ...job, what })
      const bare = await onBareHttp({ ...job, what: `bare-${what}` })
      const perSecond = median(own.map((round) => round.perSecond))
      const latencies = own.flatMap((round) => round.latencies)
      rows.push({
        what,
        bytes,
        concurrency,
        perSecond,
        spread: spread(own.map((round) => round.perSecond)),
        p50Ms: percentile(latencies, 0.5),
        p99Ms: percentile(latencies, 0.99),
        ofBareHttp: perSecond / median(bare.map((round) => round.perSecond)),
        ofBareInsert: perSecond / median(inserts.answer),
      })
    }
  }
  return rows
}

async function onServer(job: Omit<LoadJob, 'url'>): Promise<Round[]> {
  // No sweep in between: it would fall into some rounds and not into others.
  const server = await startServer({ env: { MAYFLY_LOG: 'warn', MAYFLY_SWEEP_SECONDS: '3600' } })
  const rounds = await generate({ ...job, url: server.url })
  await server.stop()
  return rounds
}

async function onBareHttp(job: Omit<LoadJob, 'url'>): Promise<Round[]> {
  const server = await inProcess<object, string>('bare-http', {})
  const rounds = await generate({ ...job, url: server.answer })
  server.stop()
  return rounds
}

async function generate(job: LoadJob): Promise<Round[]> {
  const { answer, stop } = await inProcess<LoadJob, Round[]>('load', job)
  stop()
  return answer
}
