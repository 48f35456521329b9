/** Creates and views per second, beside what the bare machine does with the same bytes. */

import { seal } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { startServer } from '#test/start-server'
import type { InsertJob } from './bare.js'
import type { LoadJob, Round } from './load.js'
import { inProcess, once } from './process.js'
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

/** Both calls with texts of this size, each on a server and a database of its own. */
export async function throughput(bytes: number, { rounds, requests }: Effort): Promise<Throughput[]> {
  const perRound = bytes > 10_000 ? requests / 4 : requests
  const levels = CONCURRENCY.map((concurrency) => ({
    concurrency,
    requests: Math.ceil(concurrency === 1 ? perRound / 4 : perRound),
  }))
  const job = { bytes, levels, rounds }
  const inserts = await bareInserts(bytes, Math.ceil(requests / 4), rounds)
  const rows: Throughput[] = []
  for (const what of ['create', 'view'] as const) {
    const own = await onServer({ ...job, what })
    const bare = await onBareHttp({ ...job, what: `bare-${what}` })
    for (const [level, concurrency] of CONCURRENCY.entries()) {
      const rates = perSecond(own[level])
      const latencies = own[level]?.flatMap((round) => round.latencies) ?? []
      rows.push({
        what,
        bytes,
        concurrency,
        perSecond: median(rates),
        spread: spread(rates),
        p50Ms: percentile(latencies, 0.5),
        p99Ms: percentile(latencies, 0.99),
        ofBareHttp: median(rates) / median(perSecond(bare[level])),
        ofBareInsert: median(rates) / median(inserts),
      })
    }
  }
  return rows
}

const perSecond = (rounds: Round[] = []) => rounds.map((round) => round.perSecond)

/** Of texts as long as ours are when they are sealed. */
async function bareInserts(bytes: number, inserts: number, rounds: number): Promise<number[]> {
  const { body } = await seal({ text: encodeText('x'.repeat(bytes)), ttl: 3600 })
  return once<InsertJob, number[]>('bare-sqlite', { bytes: body.text.length, inserts, rounds })
}

async function onServer(job: Omit<LoadJob, 'url'>): Promise<Round[][]> {
  // No sweep in between: it would fall into some rounds and not into others.
  const server = await startServer({ env: { MAYFLY_LOG: 'warn', MAYFLY_SWEEP_SECONDS: '3600' } })
  const rounds = await once<LoadJob, Round[][]>('load', { ...job, url: server.url })
  await server.stop()
  return rounds
}

async function onBareHttp(job: Omit<LoadJob, 'url'>): Promise<Round[][]> {
  const server = await inProcess<object, string>('bare-http', {})
  const rounds = await once<LoadJob, Round[][]>('load', { ...job, url: server.answer })
  server.stop()
  return rounds
}
