/** Rate limits, shared by all processes and checked before a request is processed. */
import { createHmac } from 'node:crypto'
import type { Audit } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { LimitStore, Take } from '../contracts/limits.js'
import { AppError } from '../lib/errors.js'
import { rateLimitPrefix } from '../lib/ip.js'
import type { Log } from '../lib/log.js'
import { createExhaustedWindows } from './exhausted-windows.js'
import { withLocalFallback } from './fallback-store.js'
import { type CountedBy, RULES, type RuleName, type Window } from './rate-limit-policies.js'

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

export function limitsService({ counters, ...deps }: Deps): LimitsService {
  if (!counters) return UNLIMITED
  const limiter = createLimiter({ ...deps, counters })
  return {
    ...limiter,
    async take(rule, caller, subject) {
      const state = await limiter.tryTake(rule, caller, subject)
      if (state && !state.granted) throw limitError(state)
    },
    check(rule, caller, subject) {
      const refused = limiter.findRefusal(rule, caller, subject)
      if (refused) throw limitError(refused)
    },
  }
}

type LimiterDeps = Deps & { counters: NonNullable<Deps['counters']> }

function createLimiter({ counters, factor, audit, log, now }: LimiterDeps): Omit<LimitsService, 'take' | 'check'> {
  const { key } = counters
  const store = withLocalFallback(counters.store, log)
  const exhausted = createExhaustedWindows()

  const listTakes = (rule: RuleName, caller: Counted, subject: string | undefined) =>
    toTakes(rule, caller, { subject, factor, key })

  function findExhausted(takes: Take[]): LimitState | null {
    const window = exhausted.find(takes, now())
    return window && { granted: false, most: window.most, left: 0, seconds: secondsUntil(window.endsAt) }
  }

  const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - now()) / 1000))

  async function takeAll(takes: Take[]): Promise<LimitState[]> {
    const taken = await store.take(takes, now())
    exhausted.add(takes, taken)
    return taken.map(({ granted, used, endsAt, most }) => {
      return { granted, most, left: Math.max(0, most - used), seconds: secondsUntil(endsAt) }
    })
  }

  function auditRefusal(rule: RuleName, caller: Counted, state: LimitState): LimitState {
    if (!state.granted) void audit({ action: 'limit.reached', caller, subject: rule })
    return state
  }

  async function tryTake(rule: RuleName, caller: Counted, subject?: string): Promise<LimitState | null> {
    const takes = listTakes(rule, caller, subject)
    if (takes.length === 0) return null
    const refused = findExhausted(takes)
    if (refused) return auditRefusal(rule, caller, refused)
    return auditRefusal(rule, caller, findTightest(await takeAll(takes)))
  }

  function findRefusal(rule: RuleName, caller: Counted, subject?: string): LimitState | null {
    const refused = findExhausted(listTakes(rule, caller, subject))
    return refused && auditRefusal(rule, caller, refused)
  }

  return {
    tryTake,
    findRefusal,
    async count(rule, caller, subject) {
      await takeAll(listTakes(rule, caller, subject))
    },
    async reset(rule, caller, subject) {
      const names = listTakes(rule, caller, subject).map(({ name }) => name)
      exhausted.delete(names)
      await store.reset(names)
    },
  }
}

export const limitError = ({ seconds }: LimitState): AppError => new AppError('limit.reached', { retryAfter: seconds })

/** A refused window if there is one, else the window with the least left. */
function findTightest(states: LimitState[]): LimitState {
  const [tightest] = states.sort((a, b) => Number(a.granted) - Number(b.granted) || a.left - b.left)
  return tightest as LimitState
}

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
