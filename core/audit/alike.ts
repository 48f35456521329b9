/** Entries that anybody may cause without end: the first of each kind is written, the others of its minute are counted. */
import type { AuditEntry } from '../contracts/audit.js'

type Entry = Omit<AuditEntry, 'id'>

const MINUTE_MS = 60_000
/** Most kinds at once. Beyond it only the action is told apart. */
const KINDS_MAX = 100

interface Kind {
  first: Entry
  /** How many came after the first. */
  more: number
}

export interface Alike {
  /** What is to be written now: the entry itself when it is the first of its kind. */
  count(entry: Entry): Entry[]
  /** What was counted in minutes that are over at `now`, each with `detail.times`. */
  over(now: number): Entry[]
}

export function countAlike(): Alike {
  const kinds = new Map<string, Kind>()
  const keyOf = ({ action, actor, subject, address }: Entry) => JSON.stringify([action, actor, subject, address])

  return {
    count(entry) {
      // Somebody who comes from everywhere at once must not fill the table.
      const isKnown = kinds.has(keyOf(entry)) || kinds.size < KINDS_MAX
      const counted = isKnown ? entry : { ...entry, actor: null, subject: null, address: null, detail: {} }
      const kind = kinds.get(keyOf(counted))
      if (kind) kind.more++
      else kinds.set(keyOf(counted), { first: counted, more: 0 })
      return kind ? [] : [counted]
    },
    over(now) {
      const ended = [...kinds].filter(([, { first }]) => first.at + MINUTE_MS <= now)
      for (const [key] of ended) kinds.delete(key)
      return ended.flatMap(([, { first, more }]) =>
        more === 0 ? [] : { ...first, detail: { ...first.detail, times: more } },
      )
    },
  }
}
