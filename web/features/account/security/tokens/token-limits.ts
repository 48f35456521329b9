/** Limits of a token that can only create secrets, as they are typed. Empty: not limited. */

import { TOKEN_SECRETS_MAX } from '#shared/account-limits'
import type { CreateToken } from '#shared/api'

export const TOKEN_LIMITS = ['maxSecrets', 'maxBytes'] as const

export type TokenLimit = (typeof TOKEN_LIMITS)[number]
export type LimitValues = Record<TokenLimit, string>

export const NO_LIMITS: LimitValues = { maxSecrets: '', maxBytes: '' }

/** Secrets, and megabytes (at most a terabyte). */
export const LIMIT_MAX: Record<TokenLimit, number> = { maxSecrets: TOKEN_SECRETS_MAX, maxBytes: 1_000_000 }

/** The factor between the typed number and the API. */
const UNIT: Record<TokenLimit, number> = { maxSecrets: 1, maxBytes: 1e6 }

/** The limits that are not whole numbers in their range. */
export const invalidLimits = (limits: LimitValues): TokenLimit[] =>
  TOKEN_LIMITS.filter((name) => {
    const entry = limits[name].trim()
    return entry !== '' && !(/^\d{1,7}$/.test(entry) && Number(entry) >= 1 && Number(entry) <= LIMIT_MAX[name])
  })

/** For the request, without empty limits. */
export const parseLimits = (limits: LimitValues): Pick<CreateToken, TokenLimit> =>
  Object.fromEntries(
    TOKEN_LIMITS.filter((name) => limits[name].trim() !== '').map((name) => [name, Number(limits[name]) * UNIT[name]]),
  )
