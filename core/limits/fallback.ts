/** Counters that all processes share, and when those do not answer, this process's own: neither open nor down. */
import type { LimitStore, Take, Taken } from '../contracts/limits.js'
import type { Log } from '../log.js'
import { type BoundedMap, boundedMap } from './bounded-map.js'
import { localLimits } from './local.js'
import type { Counter } from './take-from.js'

/** Most counters of this process's own. */
const OWN_MAX = 50_000
/** What is left of each limit meanwhile: what several processes grant together should not be more than usual. */
const SHARE = 4
/** In ms. A store that takes longer counts as one that does not answer. */
const ANSWER_WITHIN = 5_000
/** In ms: how long it is left alone then. */
const REST = 5_000

/** With what it was measured against: less than asked for while the shared counters are away. */
type Measured = Taken & { most: number }

export interface Counters {
  take(takes: Take[], now: number): Promise<Measured[]>
  /** Never rejects. */
  reset(names: string[]): Promise<void>
}

export function sharedOrLocal(
  store: Pick<LimitStore, 'take' | 'reset'>,
  log: Log,
  own: BoundedMap<Counter> = boundedMap(OWN_MAX),
): Counters {
  const local = localLimits(own)
  let restsUntil = 0

  function failed(error: unknown, now: number): void {
    const isNews = restsUntil === 0
    restsUntil = now + REST
    if (isNews) log.error('limits are counted by this process alone', { error: nameOf(error) })
  }

  return {
    async take(takes, now) {
      if (takes.length === 0) return []
      const measured = (taken: Taken[], most: (take: Take) => number) =>
        takes.map((take, index) => ({ ...(taken[index] as Taken), most: most(take) }))
      if (restsUntil <= now) {
        try {
          const taken = await inTime(store.take(takes, now))
          if (restsUntil !== 0) log.info('limits are counted by all processes together again')
          restsUntil = 0
          return measured(taken, ({ most }) => most)
        } catch (error) {
          failed(error, now)
        }
      }
      const share = ({ most }: Take) => Math.max(1, Math.floor(most / SHARE))
      const less = takes.map((take) => ({ ...take, most: share(take) }))
      return measured(await local.take(less, now), share)
    },

    async reset(names) {
      await local.reset(names)
      await inTime(store.reset(names)).catch(() => {})
    },
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the limit store took too long')), ANSWER_WITHIN)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
