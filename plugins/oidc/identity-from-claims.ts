/** Maps the claims of a provider to an identity. */
import type { Identity } from '#core'
import { findClaim, findText } from './find-claim.js'
import type { ProviderOptions } from './oidc-options.js'
import { readGroups, type UnreadableGroups } from './read-groups.js'

export type Claims = Record<string, unknown> & { sub: string }

/** Why a sign-in is refused, for the log. */
export type RefusalReason = 'email missing' | 'email not verified' | 'email domain' | 'group' | UnreadableGroups

/** Claims with a username, in the order of preference. */
const USERNAME_CLAIMS = ['preferred_username', 'nickname', 'name']

/** Values that core needs besides the options. `groups`: for policies. */
export interface Needs {
  groups: boolean
}

interface Mapped {
  identity: Identity
  /** Why the groups decide nothing: the user keeps the role and the right to create secrets. */
  warning?: UnreadableGroups
}

export function identityFromClaims(
  claims: Claims,
  options: ProviderOptions,
  needs: Needs = { groups: false },
): Mapped | RefusalReason {
  const { allowedEmailDomains, allowGroups, emailClaim, usernameClaim } = options
  const email = findText(claims, emailClaim)
  if (email === '') return 'email missing'
  if (!isEmailTrusted(claims, options)) return 'email not verified'
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (allowedEmailDomains.length > 0 && !allowedEmailDomains.includes(domain)) return 'email domain'
  const groups = usesGroups(options) || needs.groups ? readGroups(claims, options.groupsClaim) : []
  if (allowGroups.length > 0) {
    if (typeof groups === 'string') return groups
    if (!isMember(groups, [...allowGroups, ...options.adminGroups])) return 'group'
  }
  const names = (usernameClaim === '' ? USERNAME_CLAIMS : [usernameClaim]).map((name) => findText(claims, name))
  const identity = { subject: claims.sub, username: names.find((name) => name !== '') ?? '', email }
  if (typeof groups === 'string') return { identity, warning: groups }
  return { identity: { ...identity, ...permissionsFromGroups(groups, options), ...(needs.groups && { groups }) } }
}

/** Whether the ID token has all claims that `identityFromClaims` reads, so that the userinfo response is not needed. */
export function hasNeededClaims(claims: Claims, options: ProviderOptions, needs: Needs = { groups: false }): boolean {
  const { emailClaim, usernameClaim, groupsClaim, trustEmail } = options
  const needed = [
    emailClaim,
    ...(trustEmail ? [] : ['email_verified']),
    ...(usernameClaim === '' ? [] : [usernameClaim]),
    ...(usesGroups(options) || needs.groups ? [groupsClaim] : []),
  ]
  return needed.every((name) => findClaim(claims, name) !== undefined)
}

export const usesGroups = ({ adminGroups, allowGroups, creatorGroups }: ProviderOptions): boolean =>
  adminGroups.length + allowGroups.length + creatorGroups.length > 0

/** Some providers send `email_verified` as text. It describes the claim `email` only. */
function isEmailTrusted({ email_verified }: Claims, { emailClaim, trustEmail }: ProviderOptions): boolean {
  return trustEmail || (emailClaim === 'email' && (email_verified === true || email_verified === 'true'))
}

function permissionsFromGroups(
  groups: string[],
  { adminGroups, creatorGroups }: ProviderOptions,
): Pick<Identity, 'role' | 'canCreate'> {
  const role = isMember(groups, adminGroups) ? 'admin' : 'user'
  const canCreate = isMember(groups, [...creatorGroups, ...adminGroups])
  return { ...(adminGroups.length > 0 && { role }), ...(creatorGroups.length > 0 && { canCreate }) }
}

const isMember = (groups: string[], wanted: string[]): boolean => groups.some((group) => wanted.includes(group))
