/**
 * Reserves points of a window ahead of time, so that most requests of a caller do not reach the shared counters. All
 * processes together never grant more than the limit. They may grant less: points that one process reserved are missing
 * in the others.
 */
import { LRUCache } from 'lru-cache'
import type { ConsumeRequest, ConsumeResult, Counters } from '../contracts/limits.js'
import { lazy } from '../lib/lazy.js'
import type { EpochMs } from '../shared/epoch-ms.js'

/** Capacity. */
const WINDOWS_MAX = 50_000
/** A process reserves at most this share of a limit, and of its remaining points. */
const LIMIT_SHARE = 1 / 10
const LEFT_SHARE = 1 / 4

/**
 * `canReserve`: true if a limit that is lower by a few points is acceptable. `reserveMax`: maximum reservation of a
 * process.
 */
export type CountedRequest = ConsumeRequest & { canReserve?: boolean; reserveMax?: number }

/** A window of the shared counters, as of its last result. */
interface Window {
  /** Points that are consumed or reserved, by all processes. */
  used: number
  /** Points that this process reserved and has not granted. */
  reserved: number
  endsAt: EpochMs
}

/** Windows with reservations of this process. The map allocates its capacity at once, so it is made when it is used. */
function createWindows() {
  const getWindows = lazy(() => new LRUCache<string, Window>({ max: WINDOWS_MAX }))

  function findOpen(name: string, now: number): Window | null {
    const window = getWindows().get(name)
    return window && window.endsAt > now ? window : null
  }

  /** Grants a request from reserved points. Null when there are too few. */
  function takeReserved({ name, points, limit, canReserve }: CountedRequest, now: number): ConsumeResult | null {
    // A request for 0 points reads the state of the window.
    const window = canReserve && points > 0 ? findOpen(name, now) : null
    if (!window || window.reserved < points || window.used > limit) return null
    window.reserved -= points
    return toResult(true, window)
  }

  /** Takes reserved points, up to the points of the request, and returns their number. */
  function takePart({ name, points, limit, canReserve }: CountedRequest, now: number): number {
    const window = canReserve ? findOpen(name, now) : null
    if (!window || window.used > limit) return 0
    const part = Math.min(points, window.reserved)
    window.reserved -= part
    return part
  }

  function extraPoints(request: CountedRequest, now: number): number {
    const { name, points, limit, canReserve, reserveMax = limit } = request
    if (!canReserve || points === 0) return 0
    const left = limit - (findOpen(name, now)?.used ?? 0)
    return Math.max(0, Math.floor(Math.min(reserveMax, limit * LIMIT_SHARE, left * LEFT_SHARE)))
  }

  /** Remembers a result of the store. `extra`: points that this process has and the request did not use. */
  function record(name: string, { granted, used, endsAt }: ConsumeResult, extra: number, now: number): ConsumeResult {
    const before = findOpen(name, now)
    const reserved = (before?.endsAt === endsAt ? before.reserved : 0) + extra
    const window = { used, reserved, endsAt }
    getWindows().set(name, window)
    return toResult(granted, window)
  }

  return { takeReserved, takePart, extraPoints, record, delete: (name: string) => void getWindows().delete(name) }
}

export type ReservingCounters = ReturnType<typeof withReservedPoints>

/** Adds reservations to the counters of a store. */
export function withReservedPoints(store: Counters) {
  const windows = createWindows()
  /** Names of windows with a reservation on its way: concurrent requests must not reserve most of the limit. */
  const reserving = new Set<string>()

  /**
   * Requests from the store the points that exceed the reservation, and extra points. Requests that are refused with
   * the extra points are repeated without them.
   */
  async function consumeShared(requests: CountedRequest[], now: number): Promise<ConsumeResult[]> {
    const extras = requests.map((request) => (reserving.has(request.name) ? 0 : windows.extraPoints(request, now)))
    const parts = requests.map((request) => windows.takePart(request, now))
    const names = requests.flatMap(({ name }, index) => (extras[index] === 0 ? [] : [name]))
    for (const name of names) reserving.add(name)
    try {
      const ask = (index: number, extra: number) =>
        toRequest(requests[index] as CountedRequest, extra - (parts[index] as number))
      const asked = requests.map((_, index) => ask(index, extras[index] as number))
      const results = await store.consume(asked, now)
      return await Promise.all(
        requests.map(async (request, index) => {
          const [first, extra] = [results[index] as ConsumeResult, extras[index] as number]
          if (!request.canReserve) return first
          if (first.granted) return windows.record(request.name, first, extra, now)
          const [last] = extra === 0 ? [first] : await store.consume([ask(index, 0)], now)
          const result = last as ConsumeResult
          return windows.record(request.name, result, result.granted ? 0 : (parts[index] as number), now)
        }),
      )
    } finally {
      for (const name of names) reserving.delete(name)
    }
  }

  return {
    async consume(requests: CountedRequest[], now: number): Promise<ConsumeResult[]> {
      const own = requests.map((request) => windows.takeReserved(request, now))
      const others = requests.filter((_, index) => own[index] === null)
      const shared = others.length === 0 ? [] : await consumeShared(others, now)
      return own.map((result, index) => {
        if (result) return result
        const asked = shared.shift() as ConsumeResult
        // A concurrent request may have reserved the last points.
        return asked.granted ? asked : (windows.takeReserved(requests[index] as CountedRequest, now) ?? asked)
      })
    },

    async reset(names: string[]): Promise<void> {
      for (const name of names) windows.delete(name)
      await store.reset(names)
    },
  }
}

const toResult = (granted: boolean, { used, reserved, endsAt }: Window): ConsumeResult => ({
  granted,
  used: used - reserved,
  endsAt,
})

const toRequest = ({ name, points, limit, windowMs }: CountedRequest, extra: number): ConsumeRequest => ({
  name,
  limit,
  windowMs,
  points: points + extra,
})
