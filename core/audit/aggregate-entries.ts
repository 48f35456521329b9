/** Aggregates audit entries that anyone can cause in any number: the first is written, later ones of the minute counted. */
import type { AuditEntry } from '../contracts/audit.js'

type Entry = Omit<AuditEntry, 'id'>

const MINUTE_MS = 60_000
/** Limit of different entries at the same time. Beyond it, entries are aggregated by action only. */
const GROUPS_MAX = 100

interface Group {
  first: Entry
  /** Number of entries after the first. */
  more: number
}

export interface Aggregator {
  /** Counts an entry. Returns the entries to write now: the given one when it is the first of its group. */
  count(entry: Entry): Entry[]
  /** Closes groups older than a minute. Returns one entry for each that grew, with `detail.times`. */
  takeEnded(now: number): Entry[]
}

export function createAggregator(): Aggregator {
  const groups = new Map<string, Group>()

  return {
    count(entry) {
      // Requests from many addresses at once must not fill the table.
      const hasGroup = groups.has(groupKey(entry)) || groups.size < GROUPS_MAX
      const counted = hasGroup ? entry : { ...entry, actor: null, subject: null, address: null, detail: {} }
      const group = groups.get(groupKey(counted))
      if (group) group.more++
      else groups.set(groupKey(counted), { first: counted, more: 0 })
      return group ? [] : [counted]
    },
    takeEnded(now) {
      const ended = [...groups].filter(([, { first }]) => first.at + MINUTE_MS <= now)
      for (const [key] of ended) groups.delete(key)
      return ended.flatMap(([, { first, more }]) =>
        more === 0 ? [] : { ...first, detail: { ...first.detail, times: more } },
      )
    },
  }
}

const groupKey = ({ action, actor, subject, address }: Entry): string =>
  JSON.stringify([action, actor, subject, address])
