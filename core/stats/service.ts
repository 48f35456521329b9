/** Counts what happens, per day. Counts are gathered and written every few seconds, so that no request waits for them. */
import type { DayCount, StatsStore } from '../contracts/stats.js'
import type { SecretStore } from '../contracts/storage.js'
import type { Events, Listeners } from '../events.js'
import type { Log } from '../log.js'
import { STATS_LIVE_MAX } from '../shared/account-limits.js'

/** What a process loses at most when it is killed: these are statistics, not accounts. */
const FLUSH_MS = 5000
const DAY_MS = 86_400_000
/** Days that are told, today being the last. */
const DAYS = 30
/** Days that are kept. */
const KEPT_DAYS = 60
/** How long an answer is given again, so that asking often costs the database nothing. */
const CACHE_MS = 10_000

export const COUNTED = [
  ...(['created', 'opened', 'viewed', 'used-up', 'burned', 'expired', 'files'] as const),
  ...(['with-password', 'with-files', 'with-address', 'public'] as const),
] as const

export type Counted = (typeof COUNTED)[number]

export type Counts = Record<Counted, number>

const LONGEST_WAIT = 31_536_000
/** How long secrets waited to be opened, in seconds: each counts for the first of these that it did not exceed, or for the last. */
const WAITS = [60, 300, 900, 3600, 14_400, 43_200, 86_400, 259_200, 604_800, 2_419_200, LONGEST_WAIT]
const WAIT = 'opened-within-'

export interface Stats {
  /** The oldest first; days without anything too. */
  days: { day: string; counts: Counts }[]
  /** Of all these days. */
  total: Counts
  /** Half of the secrets that were opened in these days were so within as many seconds, one of `WAITS`; null without any. */
  medianWait: number | null
  /** Right now, up to `STATS_LIVE_MAX`. */
  live: number
}

interface Parts {
  store: StatsStore
  secrets: Pick<SecretStore, 'countLive'>
  log: Log
  /** Epoch ms. */
  now: () => number
}

export interface StatsService {
  /** What is counted, for `createEmit`. */
  on: Listeners
  /** At most `CACHE_MS` old, and without what other processes have not written yet. */
  read(): Promise<Stats>
  /** Writes what was counted. Never rejects: what the store does not take goes on waiting. */
  flush(): Promise<void>
  /** Writes the rest; nothing is counted afterwards. */
  stop(): Promise<void>
}

export function statsService({ store, secrets, log, now }: Parts): StatsService {
  let waiting = new Map<string, DayCount>()
  let isFailing = false
  let tidied = ''
  let running: Promise<void> = Promise.resolve()
  let cached: { at: number; stats: Promise<Stats> } | null = null

  function count(name: Counted | `${typeof WAIT}${number}`, times = 1): void {
    if (times > 0) add({ day: dayOf(now()), name, count: times })
  }

  function add({ day, name, count }: DayCount): void {
    const key = `${day} ${name}`
    waiting.set(key, { day, name, count: (waiting.get(key)?.count ?? 0) + count })
  }

  async function write(): Promise<void> {
    const counts = [...waiting.values()]
    waiting = new Map()
    try {
      if (counts.length > 0) await store.add(counts)
    } catch (error) {
      counts.forEach(add)
      tellFailure(error)
      return
    }
    if (counts.length > 0) cached = null
    try {
      await tidyUp()
      isFailing = false
    } catch (error) {
      tellFailure(error)
    }
  }

  /** Once a day. */
  async function tidyUp(): Promise<void> {
    const today = dayOf(now())
    if (tidied !== today) await store.forget(dayOf(now() - KEPT_DAYS * DAY_MS))
    tidied = today
  }

  /** Once, however long the store is away. */
  function tellFailure(error: unknown): void {
    if (!isFailing)
      log.warn('the statistics are not written', { error: error instanceof Error ? error.name : 'unknown' })
    isFailing = true
  }

  async function gathered(at: number): Promise<Stats> {
    const [counts, live] = await Promise.all([
      store.since(dayOf(at - (DAYS - 1) * DAY_MS)),
      secrets.countLive(STATS_LIVE_MAX, at),
    ])
    return { ...summed(counts, at), medianWait: medianWait(counts), live }
  }

  function flush(): Promise<void> {
    running = running.then(write)
    return running
  }

  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()
  return {
    on: {
      'secret:created': (event) => {
        for (const [name, times] of ofCreation(event)) count(name, times)
      },
      'secret:viewed': ({ views, age }) => {
        count('viewed')
        if (views > 1) return
        count('opened')
        count(`${WAIT}${WAITS.find((seconds) => age <= seconds * 1000) ?? LONGEST_WAIT}`)
      },
      'secret:burned': ({ reason }) => count(ENDS[reason]),
    },
    read() {
      const at = now()
      if (cached && at >= cached.at && at - cached.at < CACHE_MS) return cached.stats
      const stats = gathered(at)
      const mine = { at, stats }
      cached = mine
      // A failed read is not kept: the next caller asks again.
      stats.catch(() => {
        if (cached === mine) cached = null
      })
      return stats
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

const ENDS = { 'last-view': 'used-up', request: 'burned', expired: 'expired' } as const

function ofCreation({ kind, files, hasPassword, hasAllowedIp }: Events['secret:created']): [Counted, number][] {
  return [
    ['created', 1],
    ['files', files],
    ['with-password', Number(hasPassword)],
    ['with-files', Number(files > 0)],
    ['with-address', Number(hasAllowedIp)],
    ['public', Number(kind === 'public')],
  ]
}

function summed(counts: DayCount[], now: number): Pick<Stats, 'days' | 'total'> {
  const names = Array.from({ length: DAYS }, (_, index) => dayOf(now - (DAYS - 1 - index) * DAY_MS))
  const days = names.map((day) => ({ day, counts: nothing() }))
  const total = nothing()
  for (const { day, name, count } of counts) {
    const counts = days.find((each) => each.day === day)?.counts
    if (!counts || !isCounted(name)) continue
    counts[name] += count
    total[name] += count
  }
  return { days, total }
}

function medianWait(counts: DayCount[]): number | null {
  const of = (seconds: number) =>
    counts.reduce((sum, { name, count }) => (name === WAIT + seconds ? sum + count : sum), 0)
  const opened = (most: number) => WAITS.filter((seconds) => seconds <= most).reduce((sum, each) => sum + of(each), 0)
  const all = opened(LONGEST_WAIT)
  return all === 0 ? null : (WAITS.find((seconds) => opened(seconds) >= all / 2) ?? null)
}

/** A newer program may have counted more. */
const isCounted = (name: string): name is Counted => COUNTED.some((each) => each === name)

const nothing = (): Counts => Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
