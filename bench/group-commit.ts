/** Creates and views per second with and without group commit, in the same run. */
import { type EngineName, makeDatabase, type TestDatabase } from '#test/databases'
import { startServer } from '#test/start-server'
import { runOnce, startChild } from './child.js'
import type { LoadJob, LoadResult } from './load.js'
import { median } from './statistics.js'
import type { StorageJob, StorageRates } from './storage-rates.js'

export interface GroupCommit {
  engine: EngineName
  /** `store`: calls of the storage. `http`: requests to a server. */
  level: 'store' | 'http'
  what: 'create' | 'view'
  concurrency: number
  /** Calls per second without sharing transactions. Median of the rounds. */
  alone: number
  /** Calls per second with the default batch size. */
  together: number
}

export interface Effort {
  rounds: number
  /** Calls of one round at the highest concurrency. */
  requests: number
}

const CONCURRENCY = [1, 16, 64]
const TEXT_BYTES = 256

export async function groupCommit(engines: EngineName[], { rounds, requests }: Effort): Promise<GroupCommit[]> {
  const rows: GroupCommit[] = []
  for (const engine of engines) {
    const database = await makeDatabase(engine)
    for (let round = 0; round < rounds; round++) {
      rows.push(...(await onStore(database, requests)), ...(await onHttp(database, requests)))
    }
    await database.drop()
  }
  return medians(rows)
}

/** Number of calls of a round: fewer where each call has its own transaction, because they take longer. */
const levelsFor = (requests: number, isAlone: boolean) =>
  CONCURRENCY.map((concurrency) => {
    const share = concurrency === 1 ? 1 / 4 : concurrency / 64 / (isAlone ? 8 : 1)
    return { concurrency, requests: Math.ceil(requests * share) + concurrency }
  })

const optionsOf = ({ options }: TestDatabase, isAlone: boolean) => (isAlone ? { ...options, batchSize: '1' } : options)

async function onStore(database: TestDatabase, requests: number): Promise<GroupCommit[]> {
  const { storage, close } = await database.open()
  await storage.migrate()
  await close()
  const run = (isAlone: boolean) =>
    runOnce<StorageJob, StorageRates[]>('storage-rates', {
      engine: database.engine,
      options: optionsOf(database, isAlone),
      levels: levelsFor(requests, isAlone),
    })
  const [alone, together] = [await run(true), await run(false)]
  return rowsOf(database.engine, 'store', (what, level) => [alone[level]?.[what] ?? 0, together[level]?.[what] ?? 0])
}

/** Two servers on one database. */
async function onHttp(database: TestDatabase, requests: number): Promise<GroupCommit[]> {
  const variable = `MAYFLY_${database.engine.toUpperCase()}_BATCH_SIZE`
  // No cleanup during the run, because it would slow down only some of the rounds.
  const env = { ...database.env, MAYFLY_LOG: 'warn', MAYFLY_SWEEP_SECONDS: '3600' }
  const together = await startServer({ env })
  const alone = await startServer({ env: { ...env, [variable]: '1' } })
  const generator = startChild<LoadJob, LoadResult>('load')
  const rates: Record<string, [alone: number[], together: number[]]> = {}
  for (const kind of ['create', 'view'] as const) {
    const run = async (isAlone: boolean) => {
      const { url, pid } = isAlone ? alone : together
      const perSecond: number[] = []
      for (const { concurrency: connections, requests: count } of levelsFor(requests, isAlone)) {
        const amount = { requests: count }
        const job = { kind, url, pid, createUrl: together.url, size: TEXT_BYTES, connections, amount }
        perSecond.push((await generator.run({ ...job, warmUp: Math.ceil(count / 2) })).perSecond)
      }
      return perSecond
    }
    rates[kind] = [await run(true), await run(false)]
  }
  generator.stop()
  await Promise.all([alone.stop(), together.stop()])
  return rowsOf(database.engine, 'http', (what, level) => [rates[what]?.[0][level] ?? 0, rates[what]?.[1][level] ?? 0])
}

function rowsOf(
  engine: EngineName,
  level: GroupCommit['level'],
  rates: (what: GroupCommit['what'], level: number) => [alone: number, together: number],
): GroupCommit[] {
  return (['create', 'view'] as const).flatMap((what) =>
    CONCURRENCY.map((concurrency, at) => {
      const [alone, together] = rates(what, at)
      return { engine, level, what, concurrency, alone, together }
    }),
  )
}

/** Merges the rounds of one row: same settings, different rates. */
function medians(rows: GroupCommit[]): GroupCommit[] {
  const nameOf = ({ engine, level, what, concurrency }: GroupCommit) => [engine, level, what, concurrency].join()
  return [...new Set(rows.map(nameOf))].map((name) => {
    const same = rows.filter((row) => nameOf(row) === name) as [GroupCommit, ...GroupCommit[]]
    const [alone, together] = [median(same.map((row) => row.alone)), median(same.map((row) => row.together))]
    return { ...same[0], alone, together }
  })
}
