/** From what a provider claims about somebody to who that is here. */
import type { Identity } from '#core'
import type { ProviderOptions } from './options.js'

export type Claims = Record<string, unknown> & { sub: string }

/** Why somebody may not enter, in a word for the log. */
export type Reason = 'email missing' | 'email not verified' | 'email domain'

export function identityOf(claims: Claims, options: ProviderOptions): Identity | Reason {
  const { allowedEmailDomains, trustEmail } = options
  const email = text(claims.email)
  if (email === '') return 'email missing'
  if (claims.email_verified !== true && !(trustEmail && claims.email_verified === undefined))
    return 'email not verified'
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (allowedEmailDomains.length > 0 && !allowedEmailDomains.includes(domain)) return 'email domain'
  const names = [claims.preferred_username, claims.nickname, claims.name].map(text)
  const username = names.find((name) => name !== '') ?? ''
  return { subject: claims.sub, username, email, ...roleOf(claims, options) }
}

/** Who lacks the claim is no administrator: providers leave out what is empty. */
function roleOf(claims: Claims, { roleClaim, adminValues }: ProviderOptions): Pick<Identity, 'role'> {
  if (roleClaim === '') return {}
  const values = [valueAt(claims, roleClaim)].flat()
  return { role: values.some((value) => adminValues.includes(text(value))) ? 'admin' : 'user' }
}

/** The name as a whole comes first: names of claims may be addresses. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  const into = (at: unknown, part: string) =>
    typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? (at as Record<string, unknown>)[part] : undefined
  return name.split('.').reduce<unknown>(into, claims)
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
