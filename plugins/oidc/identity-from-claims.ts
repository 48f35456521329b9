/** Maps the claims of a provider to an identity. */
import type { Identity } from '#core'
import type { ProviderOptions } from './oidc-options.js'

export type Claims = Record<string, unknown> & { sub: string }

/** Why a sign-in is refused, for the log. */
export type RefusalReason = 'email missing' | 'email not verified' | 'email domain'

export function identityFromClaims(claims: Claims, options: ProviderOptions): Identity | RefusalReason {
  const { allowedEmailDomains, trustEmail } = options
  const email = toText(claims.email)
  if (email === '') return 'email missing'
  if (claims.email_verified !== true && !(trustEmail && claims.email_verified === undefined))
    return 'email not verified'
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (allowedEmailDomains.length > 0 && !allowedEmailDomains.includes(domain)) return 'email domain'
  const names = [claims.preferred_username, claims.nickname, claims.name].map(toText)
  const username = names.find((name) => name !== '') ?? ''
  return { subject: claims.sub, username, email, ...roleFromClaims(claims, options) }
}

/** Without the claim the role is "user", because providers omit empty claims. */
function roleFromClaims(claims: Claims, { roleClaim, adminValues }: ProviderOptions): Pick<Identity, 'role'> {
  if (roleClaim === '') return {}
  const values = [findClaim(claims, roleClaim)].flat()
  return { role: values.some((value) => adminValues.includes(toText(value))) ? 'admin' : 'user' }
}

/** Tries the whole name first, because names of claims may be URLs, then a path of names separated by dots. */
function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  const getProperty = (value: unknown, key: string) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string, unknown>)[key]
      : undefined
  return name.split('.').reduce<unknown>(getProperty, claims)
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
