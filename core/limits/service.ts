/** Rate limits: what a caller may do how often, counted for all processes, checked before anything else is done. */
import { createHmac } from 'node:crypto'
import type { Caller } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { LimitStore, Take } from '../contracts/limits.js'
import { AppError } from '../errors.js'
import type { Log } from '../log.js'
import { networkOf } from '../network.js'
import { boundedMap } from './bounded-map.js'
import { sharedOrLocal } from './fallback.js'
import { type CountedBy, RULES, type RuleName, type Window } from './rules.js'

/** Most windows that this process remembers to be used up. */
const REMEMBERED = 50_000

/** Whom a window is counted by. */
export type Counted = Pick<Caller, 'address' | 'userId' | 'username' | 'sessionId'>

/** How a caller stands with the tightest window of a rule. */
export interface Standing {
  granted: boolean
  most: number
  left: number
  /** Until the window ends. */
  seconds: number
}

export interface LimitsService {
  /** Takes one of each window of a rule. Null when none is the caller's. */
  tryTake(rule: RuleName, caller: Counted, subject?: string): Promise<Standing | null>
  /** The same. Throws AppError `limit.reached`. */
  take(rule: RuleName, caller: Counted, subject?: string): Promise<void>
  /** For rules that count failures: the refusal when this process knows that there were too many, or null. */
  refusal(rule: RuleName, caller: Counted, subject?: string): Standing | null
  /** The same. Throws AppError `limit.reached`. */
  check(rule: RuleName, caller: Counted, subject?: string): void
  /** Counts a failure. */
  count(rule: RuleName, caller: Counted, subject?: string): Promise<void>
  /** Begins anew. */
  forget(rule: RuleName, caller: Counted, subject?: string): Promise<void>
}

interface Parts {
  /** null: no limits. `key`: see instance-key.ts. */
  counters: { store: Pick<LimitStore, 'take' | 'reset'>; key: Buffer } | null
  /** Multiplies what an address and what all together may do. */
  factor: number
  audit: Audit
  log: Log
  /** Epoch ms. */
  now: () => number
}

export function limitsService({ counters, factor, audit, log, now }: Parts): LimitsService {
  if (!counters) return NO_LIMITS
  const { key } = counters
  const shared = sharedOrLocal(counters.store, log)
  /** When the windows end that are known to be used up. */
  const usedUp = boundedMap<number>(REMEMBERED)

  function takesOf(rule: RuleName, caller: Counted, subject: string | undefined): Take[] {
    const windows: readonly Window[] = RULES[rule]
    return windows.flatMap((window, index) => {
      const who = whoOf(window.by, caller, subject)
      if (who === null || (window.visitors && caller.userId !== null)) return []
      const most = window.by === 'address' || window.by === 'instance' ? window.most * factor : window.most
      const name = createHmac('sha256', key)
        .update(JSON.stringify([rule, index, who]))
        .digest('hex')
      return [{ name, cost: 1, most, windowMs: window.withinMs }]
    })
  }

  function known(takes: Take[]): Standing | null {
    const ends = takes.map(({ name }) => usedUp.get(name) ?? 0)
    const endsAt = Math.max(0, ...ends)
    if (endsAt <= now()) return null
    return { granted: false, most: takes[ends.indexOf(endsAt)]?.most ?? 0, left: 0, seconds: secondsUntil(endsAt) }
  }

  const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - now()) / 1000))

  async function tryTake(rule: RuleName, caller: Counted, subject?: string): Promise<Standing | null> {
    const takes = takesOf(rule, caller, subject)
    if (takes.length === 0) return null
    const refused = known(takes)
    if (refused) return note(rule, caller, refused)
    const standings = (await takeAll(takes)).map(({ granted, used, endsAt, most }) => {
      return { granted, most, left: Math.max(0, most - used), seconds: secondsUntil(endsAt) }
    })
    const [worst] = standings.sort((a, b) => Number(a.granted) - Number(b.granted) || a.left - b.left)
    return note(rule, caller, worst as Standing)
  }

  async function takeAll(takes: Take[]) {
    const taken = await shared.take(takes, now())
    for (const [index, { name, most }] of takes.entries()) {
      const { used = 0, endsAt = 0, most: measured } = taken[index] ?? {}
      // What counts here alone, and less, is no news of the limit itself.
      if (used >= most && measured === most) usedUp.set(name, endsAt)
    }
    return taken
  }

  function note(rule: RuleName, caller: Counted, standing: Standing): Standing {
    if (!standing.granted) void audit({ action: 'limit.reached', caller, subject: rule })
    return standing
  }

  function refusal(rule: RuleName, caller: Counted, subject?: string): Standing | null {
    const refused = known(takesOf(rule, caller, subject))
    return refused && note(rule, caller, refused)
  }

  return {
    tryTake,
    refusal,
    async take(rule, caller, subject) {
      const standing = await tryTake(rule, caller, subject)
      if (standing && !standing.granted) throw overLimit(standing)
    },
    check(rule, caller, subject) {
      const refused = refusal(rule, caller, subject)
      if (refused) throw overLimit(refused)
    },
    async count(rule, caller, subject) {
      await takeAll(takesOf(rule, caller, subject))
    },
    async forget(rule, caller, subject) {
      const names = takesOf(rule, caller, subject).map(({ name }) => name)
      for (const name of names) usedUp.delete(name)
      await shared.reset(names)
    },
  }
}

export const overLimit = ({ seconds }: Standing): AppError => new AppError('limit.reached', { retryAfter: seconds })

function whoOf(by: CountedBy, { address, userId, sessionId }: Counted, subject: string | undefined): string | null {
  // Everyone without an address is one.
  if (by === 'address') return networkOf(address)
  if (by === 'instance') return ''
  return { user: userId, session: sessionId, subject: subject ?? null }[by]
}

/** Refuses nobody. */
const NO_LIMITS: LimitsService = {
  tryTake: async () => null,
  take: async () => {},
  refusal: () => null,
  check: () => {},
  count: async () => {},
  forget: async () => {},
}
