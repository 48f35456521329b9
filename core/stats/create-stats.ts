/** Daily statistics, counted from events in memory and written every few seconds, so that no request waits for them. */

import type { Events, Listeners } from '../contracts/events.js'
import type { DayCount, StatsStore } from '../contracts/stats.js'
import { cacheFor } from '../lib/cache-for.js'
import { createFlusher } from '../lib/flusher.js'
import type { Log } from '../lib/log.js'
import { createOutageLog } from '../lib/outage-log.js'
import { STATS_LIVE_MAX } from '../shared/account-limits.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { blurStats, type PublicStats } from './blur-counts.js'
import { type Counted, daysBefore, SUMMARY_DAYS, type Summary, summarize, toDay, waitBucket } from './stats-summary.js'

/** A process that is killed loses the counts of this time, which is acceptable for statistics. */
const FLUSH_MS = 5000
/** Older days are deleted. */
const RETENTION_DAYS = 60
const CACHE_MS = 10_000

export interface InstanceStats extends Summary {
  /** Secrets that exist now, counted up to `STATS_LIVE_MAX`. */
  live: number
}

interface Parts {
  /** Of the instance. */
  key: Buffer
  store: StatsStore
  /** Counts the secrets that exist, up to `most`. */
  secrets: { countLive(most: number, now: number): Promise<number> }
  log: Log
  now: () => EpochMs
}

export interface Stats {
  /** The listeners that count, for `createEmitter`. */
  on: Listeners
  /** Up to `CACHE_MS` old, without counts that other processes have not written yet. */
  read(): Promise<InstanceStats>
  /** The summary for the public, with blurred counts. */
  readPublic(): Promise<PublicStats>
  /** Writes the counts. Never rejects: counts that could not be written stay in memory. */
  flush(): Promise<void>
  /** Stops the timer and writes the rest. */
  stop(): Promise<void>
}

export function createStats({ store, secrets, key, log, now }: Parts): Stats {
  const pending = createPendingCounts()
  const summary = cacheFor(CACHE_MS, { load: (at) => loadStats(store, secrets, at), now })
  const outage = createOutageLog({
    log,
    level: 'warn',
    failed: 'statistics not written',
    recovered: 'statistics written again',
    now,
  })
  /** The day on which old days were deleted last. */
  let cleanedOn = ''

  const count = (name: string, times = 1) => pending.add({ day: toDay(now()), name, count: times })

  async function write(): Promise<void> {
    const counts = pending.take()
    try {
      if (counts.length > 0) await store.add(counts)
    } catch (error) {
      counts.forEach(pending.add)
      outage.fail(error)
      return
    }
    if (counts.length > 0) summary.clear()
    try {
      await deleteOldDays()
      outage.succeed()
    } catch (error) {
      outage.fail(error)
    }
  }

  /** Once a day. */
  async function deleteOldDays(): Promise<void> {
    const today = toDay(now())
    if (cleanedOn !== today) await store.deleteBefore(daysBefore(now(), RETENTION_DAYS))
    cleanedOn = today
  }

  return {
    on: countEvents(count, now),
    read: summary.get,
    readPublic: async () => blurStats(await summary.get(), key),
    ...createFlusher(FLUSH_MS, write),
  }
}

/** Listeners that count each event. */
function countEvents(
  count: (name: Counted | ReturnType<typeof waitBucket>, times?: number) => void,
  now: () => EpochMs,
): Listeners {
  return {
    'secret.created': (event) => countCreation(event, count),
    'secret.viewed': ({ views, createdAt }) => {
      count('viewed')
      if (views > 1) return
      count('opened')
      count(waitBucket(now() - createdAt))
    },
    'secret.burned': ({ reason }) => count(BURNED_AS[reason]),
    'secret.expired': () => count('expired'),
  }
}

const BURNED_AS = { 'last-view': 'used-up', request: 'burned' } as const

function countCreation(
  { kind, files, hasPassword, hasAllowedIp }: Events['secret.created'],
  count: (name: Counted, times?: number) => void,
): void {
  count('created')
  if (files > 0) count('files', files)
  if (files > 0) count('with-files')
  if (hasPassword) count('with-password')
  if (hasAllowedIp) count('with-address')
  if (kind === 'public') count('public')
}

/** Counts that are not written yet, summed up by day and name. */
function createPendingCounts() {
  let pending = new Map<string, DayCount>()
  return {
    add({ day, name, count }: DayCount): void {
      const key = `${day} ${name}`
      pending.set(key, { day, name, count: (pending.get(key)?.count ?? 0) + count })
    },
    /** Returns and removes all. */
    take(): DayCount[] {
      const counts = [...pending.values()]
      pending = new Map()
      return counts
    },
  }
}

async function loadStats(store: StatsStore, secrets: Parts['secrets'], now: number): Promise<InstanceStats> {
  const [counts, live] = await Promise.all([
    store.listSince(daysBefore(now, SUMMARY_DAYS - 1)),
    secrets.countLive(STATS_LIVE_MAX, now),
  ])
  return { ...summarize(counts, now), live }
}
