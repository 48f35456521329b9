/** Rate-limit policies. The numbers suit an instance for a team; the option `limitFactor` raises them. */
import type { ErrorCode } from '../lib/errors.js'

/**
 * Property that a window is counted by. `address`: an IPv4 address or an IPv6 /64 network. `site`: an IPv6 /48 network,
 * which many providers assign and which has 65,536 of these; no window for IPv4. `subject`: the object of a rule, such
 * as a username or the id of a token. A window does not apply to callers without that property.
 */
export type CountedBy = 'address' | 'site' | 'user' | 'session' | 'subject' | 'instance'

export interface Window {
  by: CountedBy
  limit: number
  windowMs: number
  /** Applies only to callers who are not signed in. */
  anonymousOnly?: true
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const by = (counted: CountedBy, limit: number, windowMs: number): Window => ({ by: counted, limit, windowMs })
const byAnonymous = (counted: CountedBy, limit: number, windowMs: number): Window => ({
  ...by(counted, limit, windowMs),
  anonymousOnly: true,
})

/** Routes name their rule in the field `limit`. */
export const RULES = {
  'sign-in': [by('address', 10, MINUTE), by('address', 60, HOUR), by('site', 300, HOUR)],
  // Wrong passwords for one username, from any address. After that, one per minute: the account is never locked.
  'sign-in-name': [by('subject', 10, 15 * MINUTE)],
  'sign-in-name-again': [by('subject', 1, MINUTE)],
  // Wrong codes of authenticator apps for one account: from all its known devices, and from all others.
  'second-factor': [by('subject', 10, 15 * MINUTE), by('subject', 50, DAY)],
  // Challenges for passkeys, which a sign-in page requests each time it opens.
  'passkey-options': [by('address', 60, MINUTE), by('site', 600, MINUTE)],
  proof: [by('address', 10, MINUTE), by('user', 30, HOUR)],
  'sign-up': [by('address', 5, HOUR), by('site', 25, HOUR), by('instance', 100, HOUR)],
  'password-reset': [by('address', 10, HOUR), by('site', 50, HOUR)],
  // For the whole instance, except browsers in which the user of the address has signed in.
  'password-reset-stranger': [by('instance', 300, HOUR)],
  'password-reset-device': [by('subject', 5, HOUR)],
  // Messages to one address.
  'password-reset-email': [by('subject', 3, HOUR), by('subject', 6, DAY)],
  // Links that verify an address: requests of one user, and messages to one address.
  verification: [by('address', 10, HOUR), by('site', 50, HOUR), by('instance', 300, HOUR), by('user', 3, HOUR)],
  'verification-email': [by('subject', 5, HOUR), by('subject', 10, DAY)],
  // Device logins: started, polled by programs, and looked up or decided by users, who may try codes.
  'device-start': [by('address', 10, MINUTE), by('address', 60, HOUR), by('site', 300, HOUR)],
  'device-token': [by('address', 240, MINUTE)],
  'device-code': [by('address', 60, HOUR), by('site', 300, HOUR), by('user', 30, HOUR)],
  session: [by('address', 60, MINUTE)],
  'session-refresh': [by('address', 60, MINUTE), by('session', 6, MINUTE)],
  account: [by('address', 60, MINUTE)],
  'account-change': [by('address', 10, MINUTE), by('user', 10, HOUR)],
  'webhook-change': [by('address', 30, MINUTE), by('user', 60, HOUR)],
  // Each of these sends a request to another server.
  'webhook-send': [by('address', 30, MINUTE), by('user', 10, MINUTE), by('user', 100, HOUR)],
  'secret-create': [
    byAnonymous('address', 30, MINUTE),
    byAnonymous('address', 300, DAY),
    byAnonymous('site', 1500, DAY),
    by('user', 120, MINUTE),
    by('user', 2000, DAY),
  ],
  // A try for the password of a public secret costs a hash, and never locks the secret.
  'secret-view': [by('address', 60, MINUTE), by('site', 600, MINUTE)],
  'secret-ack': [by('address', 60, MINUTE)],
  'secret-exist': [by('address', 120, MINUTE)],
  // Codes for named recipients: requests, and messages to one address for one secret and for all of them.
  'recipient-code': [by('address', 10, MINUTE), by('address', 60, HOUR), by('site', 300, HOUR)],
  'recipient-code-secret': [by('subject', 5, HOUR), by('subject', 10, DAY)],
  'recipient-code-address': [by('subject', 10, HOUR), by('subject', 30, DAY)],
  'secret-burn': [by('address', 30, MINUTE)],
  // Counts 404 responses, of which a client that guesses ids gets many.
  'secret-missing': [by('address', 120, HOUR), by('site', 1200, HOUR)],
  receipt: [by('address', 60, MINUTE)],
  'request-create': [
    byAnonymous('address', 10, MINUTE),
    byAnonymous('address', 100, DAY),
    byAnonymous('site', 500, DAY),
    by('user', 30, MINUTE),
    by('user', 500, DAY),
  ],
  'request-open': [by('address', 60, MINUTE)],
  'request-submit': [by('address', 30, MINUTE), by('address', 300, DAY), by('site', 1500, DAY)],
  // Submissions to all requests of one owner, or to one request that was created anonymously.
  'request-answer': [by('subject', 60, MINUTE), by('subject', 1000, DAY)],
  'request-collect': [by('address', 60, MINUTE)],
  list: [by('address', 60, MINUTE)],
  upload: [byAnonymous('address', 20, HOUR), byAnonymous('site', 100, HOUR), by('user', 200, HOUR)],
  // Parts have 8 MiB, so this allows 80 MB per second.
  'upload-part': [by('address', 600, MINUTE)],
  download: [by('address', 600, MINUTE)],
  admin: [by('address', 120, MINUTE)],
  // Pages and assets.
  page: [by('address', 600, MINUTE)],
  // `/settings`, the API document and unknown paths of the API.
  cheap: [by('address', 600, MINUTE)],
  probe: [by('address', 600, MINUTE)],
  // Requests with a cookie that does not belong to a session.
  'session-wrong': [by('address', 300, MINUTE), by('site', 1500, MINUTE)],
  'token-wrong': [by('address', 20, MINUTE), by('site', 100, MINUTE), by('subject', 5, MINUTE)],
} as const satisfies Record<string, readonly Window[]>

export type RuleName = keyof typeof RULES

/** A rule that is not in `RULES`, such as the rule of a plugin's route. */
export interface CustomRule {
  /** Unique. */
  name: string
  windows: readonly Window[]
}

export type LimitRule = RuleName | CustomRule

/** `name`: part of the names of the counters. */
export const toRule = (rule: LimitRule): CustomRule =>
  typeof rule === 'string' ? { name: rule, windows: RULES[rule] } : rule

/**
 * Rules that limit load, and responses to unknown ids. Their limits must not be exceeded, but may be a little lower. A
 * process reserves points of their windows ahead of time: with several processes, a caller may be refused some points
 * early.
 */
export const RESERVABLE: readonly string[] = [
  'secret-create',
  'secret-view',
  'secret-ack',
  'secret-exist',
  'secret-missing',
  'list',
  'upload-part',
  'download',
]

/** Rules of requests that cost less than a shared counter: each process counts for itself. */
export const IN_PROCESS: readonly RuleName[] = ['page', 'cheap', 'probe', 'session-wrong']

/**
 * Rules that count failures, by error code. After too many, the next failures get `limit.reached`; successful requests
 * are not affected.
 */
export const FAILURES: Partial<Record<ErrorCode, RuleName>> = {
  'secret.not_found': 'secret-missing',
  'secret_request.not_found': 'secret-missing',
  'receipt.not_found': 'secret-missing',
}
