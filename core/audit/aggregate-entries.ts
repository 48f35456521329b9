/**
 * Aggregates audit entries that anyone can cause in any number: the first is written, later ones of the minute are
 * counted. Each action and network has its own budgets, so that many entries of one do not hide the entries of another.
 */
import { LRUCache } from 'lru-cache'
import type { AuditEntry } from '../contracts/audit.js'
import { lazy } from '../lib/lazy.js'

type Entry = Omit<AuditEntry, 'id'>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Complete entries of one action from one network (an IPv4 /24 or IPv6 /48) in an hour. */
const NETWORK_MAX = 20
/** Open groups of one action, by how much of an entry they have. */
const ACTION_MAX = { complete: 60, subject: 40, network: 40 }
/** Networks whose budgets are in memory. */
const BUDGETS_MAX = 10_000

interface Group {
  action: string
  detail: Detail
  first: Entry
  /** Number of entries after the first. */
  more: number
}

/** How much of an entry its group has, in this order of preference. */
const DETAILS = ['complete', 'subject', 'network', 'action'] as const
type Detail = (typeof DETAILS)[number]

export interface Aggregator {
  /** Counts an entry. Returns the entries to write now: the given one when it is the first of its group. */
  count(entry: Entry): Entry[]
  /** Closes groups older than a minute. Returns one entry for each that grew, with `detail.times`. */
  takeEnded(now: number): Entry[]
}

export function createAggregator(): Aggregator {
  const groups = new Map<string, Group>()
  const sizes = new Map<string, number>()
  const budgets = createBudgets()

  function hasRoom(detail: Detail, { action, subject, address, at }: Entry): boolean {
    if (detail === 'action') return true
    if (detail === 'subject' && subject === null) return false
    if ((sizes.get(`${action} ${detail}`) ?? 0) >= ACTION_MAX[detail]) return false
    return detail !== 'complete' || budgets.take(`${action} ${address}`, at)
  }

  const resize = ({ action, detail }: Group, more: number) => {
    const name = `${action} ${detail}`
    sizes.set(name, (sizes.get(name) ?? 0) + more)
  }

  return {
    count(entry) {
      for (const detail of DETAILS) {
        const reduced = reduce(entry, detail)
        const key = groupKey(reduced, detail)
        const group = groups.get(key)
        if (group) {
          group.more++
          return []
        }
        if (!hasRoom(detail, entry)) continue
        const opened = { action: entry.action, detail, first: reduced, more: 0 }
        groups.set(key, opened)
        resize(opened, 1)
        return [reduced]
      }
      return []
    },
    takeEnded(now) {
      const ended = [...groups].filter(([, { first }]) => first.at + MINUTE_MS <= now)
      for (const [key, group] of ended) {
        groups.delete(key)
        resize(group, -1)
      }
      return ended.flatMap(([, { first, more }]) =>
        more === 0 ? [] : { ...first, detail: { ...first.detail, times: more } },
      )
    },
  }
}

function reduce(entry: Entry, detail: Detail): Entry {
  const nothing = { actor: null, subject: null, address: null, detail: {} }
  if (detail === 'complete') return entry
  if (detail === 'subject') return { ...entry, ...nothing, subject: entry.subject }
  return { ...entry, ...nothing, address: detail === 'network' ? entry.address : null }
}

/** Counts complete entries of an action and a network in windows of an hour. */
function createBudgets() {
  const getUsed = lazy(() => new LRUCache<string, { count: number; endsAt: number }>({ max: BUDGETS_MAX }))
  return {
    take(name: string, now: number): boolean {
      const window = getUsed().get(name)
      const current = window && window.endsAt > now ? window : { count: 0, endsAt: now + HOUR_MS }
      if (current.count >= NETWORK_MAX) return false
      getUsed().set(name, { ...current, count: current.count + 1 })
      return true
    },
  }
}

const groupKey = ({ action, actor, subject, address }: Entry, detail: Detail): string =>
  JSON.stringify([detail, action, actor, subject, address])
