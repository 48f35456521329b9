/** What a token may make in all that can do nothing but create, as it is typed. Empty: not limited. */

import { TOKEN_SECRETS_MAX } from '#shared/account-limits'
import type { CreateToken } from '#shared/api'

export const TOKEN_LIMITS = ['maxSecrets', 'maxBytes'] as const

export type TokenLimit = (typeof TOKEN_LIMITS)[number]
export type LimitValues = Record<TokenLimit, string>

export const NO_LIMITS: LimitValues = { maxSecrets: '', maxBytes: '' }

/** How many secrets; how many megabytes, so that the largest is a terabyte. */
export const LIMIT_MAX: Record<TokenLimit, number> = { maxSecrets: TOKEN_SECRETS_MAX, maxBytes: 1_000_000 }

/** What one of them counts. */
const UNIT: Record<TokenLimit, number> = { maxSecrets: 1, maxBytes: 1e6 }

/** Those that are not a whole number within their range. */
export const invalidLimits = (limits: LimitValues): TokenLimit[] =>
  TOKEN_LIMITS.filter((name) => {
    const entry = limits[name].trim()
    return entry !== '' && !(/^\d{1,7}$/.test(entry) && Number(entry) >= 1 && Number(entry) <= LIMIT_MAX[name])
  })

/** As the server takes them: only those that are there. */
export const parseLimits = (limits: LimitValues): Pick<CreateToken, TokenLimit> =>
  Object.fromEntries(
    TOKEN_LIMITS.filter((name) => limits[name].trim() !== '').map((name) => [name, Number(limits[name]) * UNIT[name]]),
  )
