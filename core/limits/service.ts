/** Rate limits, shared by all processes and checked before a request is processed. */
import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AuthContext } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { LimitStore, Take } from '../contracts/limits.js'
import { AppError } from '../errors.js'
import type { Log } from '../log.js'
import { rateLimitPrefix } from '../network.js'
import { withLocalFallback } from './fallback.js'
import { type CountedBy, RULES, type RuleName, type Window } from './rules.js'

/** Capacity of the cache of exhausted windows. */
const EXHAUSTED_MAX = 50_000

/** The fields of a caller that windows are counted by. */
export type Counted = Pick<AuthContext, 'address' | 'userId' | 'username' | 'sessionId'>

/** State of the tightest window of a rule, as the `RateLimit-*` headers report it. */
export interface LimitState {
  granted: boolean
  most: number
  left: number
  /** Seconds until the window ends. */
  seconds: number
}

export interface LimitsService {
  /** Takes one from each window of a rule. Null when no window applies to the caller. */
  tryTake(rule: RuleName, caller: Counted, subject?: string): Promise<LimitState | null>
  /** Like `tryTake`, but throws AppError `limit.reached`. */
  take(rule: RuleName, caller: Counted, subject?: string): Promise<void>
  /** For rules that count failures: the state when this process knows that the limit is reached, else null. */
  findRefusal(rule: RuleName, caller: Counted, subject?: string): LimitState | null
  /** Like `findRefusal`, but throws AppError `limit.reached`. */
  check(rule: RuleName, caller: Counted, subject?: string): void
  /** Counts a failure. */
  count(rule: RuleName, caller: Counted, subject?: string): Promise<void>
  /** Closes the windows of a rule, so that counting starts at 0. */
  reset(rule: RuleName, caller: Counted, subject?: string): Promise<void>
}

interface Deps {
  /** null: no limits. `key`: see instance-key.ts. */
  counters: { store: Pick<LimitStore, 'take' | 'reset'>; key: Buffer } | null
  /** Multiplies the limits that are counted by address or for the whole instance. */
  factor: number
  audit: Audit
  log: Log
  /** Epoch ms. */
  now: () => number
}

export function limitsService({ counters, factor, audit, log, now }: Deps): LimitsService {
  if (!counters) return UNLIMITED
  const { key } = counters
  const store = withLocalFallback(counters.store, log)
  /** End (epoch ms) of windows that are known to be exhausted. */
  const exhausted = new LRUCache<string, number>({ max: EXHAUSTED_MAX })

  function findExhausted(takes: Take[]): LimitState | null {
    const ends = takes.map(({ name }) => exhausted.get(name) ?? 0)
    const endsAt = Math.max(0, ...ends)
    if (endsAt <= now()) return null
    return { granted: false, most: takes[ends.indexOf(endsAt)]?.most ?? 0, left: 0, seconds: secondsUntil(endsAt) }
  }

  const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - now()) / 1000))

  async function takeAll(takes: Take[]) {
    const taken = await store.take(takes, now())
    for (const [index, { name, most }] of takes.entries()) {
      const { used = 0, endsAt = 0, most: applied } = taken[index] ?? {}
      // A limit that was reduced while the store is down says nothing about the real one.
      if (used >= most && applied === most) exhausted.set(name, endsAt)
    }
    return taken
  }

  function auditRefusal(rule: RuleName, caller: Counted, standing: LimitState): LimitState {
    if (!standing.granted) void audit({ action: 'limit.reached', caller, subject: rule })
    return standing
  }

  async function tryTake(rule: RuleName, caller: Counted, subject?: string): Promise<LimitState | null> {
    const takes = toTakes(rule, caller, { subject, factor, key })
    if (takes.length === 0) return null
    const refused = findExhausted(takes)
    if (refused) return auditRefusal(rule, caller, refused)
    const standings = (await takeAll(takes)).map(({ granted, used, endsAt, most }) => {
      return { granted, most, left: Math.max(0, most - used), seconds: secondsUntil(endsAt) }
    })
    const [tightest] = standings.sort((a, b) => Number(a.granted) - Number(b.granted) || a.left - b.left)
    return auditRefusal(rule, caller, tightest as LimitState)
  }

  function findRefusal(rule: RuleName, caller: Counted, subject?: string): LimitState | null {
    const refused = findExhausted(toTakes(rule, caller, { subject, factor, key }))
    return refused && auditRefusal(rule, caller, refused)
  }

  return {
    tryTake,
    findRefusal,
    async take(rule, caller, subject) {
      const standing = await tryTake(rule, caller, subject)
      if (standing && !standing.granted) throw limitError(standing)
    },
    check(rule, caller, subject) {
      const refused = findRefusal(rule, caller, subject)
      if (refused) throw limitError(refused)
    },
    async count(rule, caller, subject) {
      await takeAll(toTakes(rule, caller, { subject, factor, key }))
    },
    async reset(rule, caller, subject) {
      const names = toTakes(rule, caller, { subject, factor, key }).map(({ name }) => name)
      for (const name of names) exhausted.delete(name)
      await store.reset(names)
    },
  }
}

export const limitError = ({ seconds }: LimitState): AppError => new AppError('limit.reached', { retryAfter: seconds })

/** One take for each window of the rule that applies to the caller. Counter names are HMACs, so they reveal nothing. */
function toTakes(
  rule: RuleName,
  caller: Counted,
  { subject, factor, key }: { subject: string | undefined; factor: number; key: Buffer },
): Take[] {
  const windows: readonly Window[] = RULES[rule]
  return windows.flatMap((window, index) => {
    const counted = findCounted(window.by, caller, subject)
    if (counted === null || (window.visitors && caller.userId !== null)) return []
    const most = window.by === 'address' || window.by === 'instance' ? window.most * factor : window.most
    const name = createHmac('sha256', key)
      .update(JSON.stringify([rule, index, counted]))
      .digest('hex')
    return [{ name, cost: 1, most, windowMs: window.withinMs }]
  })
}

/** null: the caller has no such property, so the window does not apply. */
function findCounted(by: CountedBy, { address, userId, sessionId }: Counted, subject: string | undefined) {
  // All callers without a known address share one window.
  if (by === 'address') return rateLimitPrefix(address)
  if (by === 'instance') return ''
  return { user: userId, session: sessionId, subject: subject ?? null }[by]
}

const UNLIMITED: LimitsService = {
  tryTake: async () => null,
  take: async () => {},
  findRefusal: () => null,
  check: () => {},
  count: async () => {},
  reset: async () => {},
}
