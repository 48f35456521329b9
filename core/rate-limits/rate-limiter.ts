/** The rate limiter: counts by rule and caller, before a request is processed. */
import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Audit } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Emit } from '../contracts/events.js'
import type { ConsumeRequest, Counters } from '../contracts/limits.js'
import { AppError } from '../lib/errors.js'
import { rateLimitPrefix, siteRateLimitPrefix } from '../lib/ip.js'
import type { Log } from '../lib/log.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { createExhaustedWindows } from './exhausted-windows.js'
import { withLocalFallback } from './fallback-store.js'
import { type CountedBy, type LimitRule, RESERVABLE, type RuleName, toRule } from './rate-limit-policies.js'
import type { CountedRequest } from './reserved-points.js'

/** The fields of a caller that windows are counted by. */
export type Counted = Pick<AuthContext, 'address' | 'userId' | 'username' | 'sessionId'>

/** State of the tightest window of a rule, as the `RateLimit-*` headers report it. */
export interface LimitState {
  granted: boolean
  limit: number
  left: number
  /** Seconds until the window ends. */
  seconds: number
}

export interface RateLimiter {
  /** Consumes one point of each window of a rule. Null when no window applies to the caller. */
  tryConsume(rule: LimitRule, caller: Counted, subject?: string): Promise<LimitState | null>
  /** Like `tryConsume`, but throws AppError `limit.reached`. */
  consume(rule: RuleName, caller: Counted, subject?: string): Promise<void>
  /** For rules that count failures: the state when this process knows that the limit is reached, else null. */
  findExhausted(rule: RuleName, caller: Counted, subject?: string): LimitState | null
  /** Like `findExhausted`, but throws AppError `limit.reached`. */
  assertNotBlocked(rule: RuleName, caller: Counted, subject?: string): void
  /** Counts a failure. */
  recordFailure(rule: RuleName, caller: Counted, subject?: string): Promise<void>
  /** Closes the windows of a rule, so that counting starts at 0. */
  reset(rule: RuleName, caller: Counted, subject?: string): Promise<void>
}

/** Capacity of the cache of counter names. */
const NAMES_MAX = 1000

export interface LimiterParts {
  /** null: no limits. */
  counters: Counters | null
  /** Of the instance, 32 bytes. */
  key: Buffer
  /** Multiplies the limits that are counted by address or for the whole instance. */
  factor: number
  audit: Audit
  emit: Emit
  log: Log
  now: () => EpochMs
}

export function createRateLimiter({ counters, ...parts }: LimiterParts): RateLimiter {
  if (!counters) return UNLIMITED
  const limiter = createCounting({ ...parts, counters })
  return {
    ...limiter,
    async consume(rule, caller, subject) {
      const state = await limiter.tryConsume(rule, caller, subject)
      if (state && !state.granted) throw limitError(state)
    },
    assertNotBlocked(rule, caller, subject) {
      const refused = limiter.findExhausted(rule, caller, subject)
      if (refused) throw limitError(refused)
    },
  }
}

function createCounting({
  counters,
  key,
  factor,
  audit,
  emit,
  log,
  now,
}: LimiterParts & { counters: Counters }): Omit<RateLimiter, 'consume' | 'assertNotBlocked'> {
  const nameOf = createCounterNames(key)
  const store = withLocalFallback(counters, log, now)
  const exhausted = createExhaustedWindows()
  const reportRefusal = createRefusalReport(audit, emit)

  const listRequests = (rule: LimitRule, caller: Counted, subject: string | undefined) =>
    toConsumeRequests(rule, caller, { subject, factor, nameOf })

  function findExhaustedWindow(requests: ConsumeRequest[]): LimitState | null {
    const window = exhausted.find(requests, now())
    return window && { granted: false, limit: window.limit, left: 0, seconds: secondsUntil(window.endsAt) }
  }

  const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - now()) / 1000))

  async function consumeAll(requests: CountedRequest[]): Promise<LimitState[]> {
    const results = await store.consume(requests)
    exhausted.add(requests, results)
    return results.map(({ granted, used, endsAt, limit }) => {
      return { granted, limit, left: Math.max(0, limit - used), seconds: secondsUntil(endsAt) }
    })
  }

  async function tryConsume(rule: LimitRule, caller: Counted, subject?: string): Promise<LimitState | null> {
    const requests = listRequests(rule, caller, subject)
    if (requests.length === 0) return null
    const refused = findExhaustedWindow(requests)
    if (refused) return reportRefusal(rule, caller, refused)
    return reportRefusal(rule, caller, findTightest(await consumeOwnFirst(requests, consumeAll)))
  }

  function findExhausted(rule: RuleName, caller: Counted, subject?: string): LimitState | null {
    const refused = findExhaustedWindow(listRequests(rule, caller, subject))
    return refused && reportRefusal(rule, caller, refused)
  }

  return {
    tryConsume,
    findExhausted,
    async recordFailure(rule, caller, subject) {
      await consumeAll(listRequests(rule, caller, subject))
    },
    async reset(rule, caller, subject) {
      const names = listRequests(rule, caller, subject).map(({ name }) => name)
      exhausted.delete(names)
      await store.reset(names)
    },
  }
}

/** Returns a function that reports a refusal to the audit log and the listeners, and returns the state. */
function createRefusalReport(audit: Audit, emit: Emit) {
  return (rule: LimitRule, caller: Counted, state: LimitState): LimitState => {
    if (state.granted) return state
    const { name } = toRule(rule)
    void audit.note({ action: 'limit.reached', caller, subject: name })
    void emit('limit.reached', { rule: name })
    return state
  }
}

export const limitError = ({ seconds, limit }: LimitState): AppError =>
  new AppError('limit.reached', { retryAfter: seconds, limit })

interface LimitRequest extends CountedRequest {
  /** One window for all callers together. */
  isShared: boolean
}

/** A caller whose own windows are exhausted does not use up the shared windows. */
async function consumeOwnFirst(
  requests: LimitRequest[],
  consumeAll: (requests: LimitRequest[]) => Promise<LimitState[]>,
): Promise<LimitState[]> {
  const shared = requests.filter(({ isShared }) => isShared)
  if (shared.length === 0) return consumeAll(requests)
  const own = await consumeAll(requests.filter(({ isShared }) => !isShared))
  return own.some(({ granted }) => !granted) ? own : own.concat(await consumeAll(shared))
}

/** A refused window if there is one, else the window with the least left. */
const findTightest = (states: LimitState[]): LimitState =>
  states.reduce((best, each) => {
    const isTighter = each.granted === best.granted ? each.left < best.left : best.granted
    return isTighter ? each : best
  })

/** One request for each window of the rule that applies to the caller. */
function toConsumeRequests(
  rule: LimitRule,
  caller: Counted,
  { subject, factor, nameOf }: { subject: string | undefined; factor: number; nameOf: CounterNames },
): LimitRequest[] {
  const { name: ruleName, windows } = toRule(rule)
  const canReserve = RESERVABLE.includes(ruleName)
  return windows.flatMap((window, index) => {
    const counted = findCounted(window.by, caller, subject)
    if (counted === null || (window.anonymousOnly && caller.userId !== null)) return []
    const limit = FACTORED.has(window.by) ? window.limit * factor : window.limit
    return [
      {
        name: nameOf(ruleName, index, counted),
        points: 1,
        limit,
        windowMs: window.windowMs,
        canReserve,
        isShared: window.by === 'instance',
      },
    ]
  })
}

type CounterNames = (rule: string, window: number, counted: string) => string

/**
 * Returns a function that names counters. Names are HMACs, so they reveal nothing. The names of recent callers are
 * cached.
 */
function createCounterNames(key: Buffer): CounterNames {
  const names = new LRUCache<string, string>({ max: NAMES_MAX })
  return (rule, window, counted) => {
    const counter = JSON.stringify([rule, window, counted])
    const known = names.get(counter)
    if (known !== undefined) return known
    const name = createHmac('sha256', key).update(counter).digest('hex')
    names.set(counter, name)
    return name
  }
}

/** Counted by a property that many people may share. */
const FACTORED: ReadonlySet<CountedBy> = new Set(['address', 'site', 'instance'])

/** null: the caller lacks this property, so the window does not apply. */
function findCounted(by: CountedBy, { address, userId, sessionId }: Counted, subject: string | undefined) {
  // All callers without a known address share one window.
  if (by === 'address') return rateLimitPrefix(address)
  if (by === 'site') return siteRateLimitPrefix(address)
  if (by === 'instance') return ''
  return { user: userId, session: sessionId, subject: subject ?? null }[by]
}

const UNLIMITED: RateLimiter = {
  tryConsume: async () => null,
  consume: async () => {},
  findExhausted: () => null,
  assertNotBlocked: () => {},
  recordFailure: async () => {},
  reset: async () => {},
}
