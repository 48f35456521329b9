/** Reads the groups of a user from a claim, in the shapes that providers use. */
import { findClaim, isObject } from './find-claim.js'

/**
 * `missing`: neither in the ID token nor in the userinfo response. `overage`: the provider left it out because it is
 * too long.
 */
export type UnreadableGroups = 'groups missing' | 'groups overage' | 'groups unreadable'

/**
 * Returns the groups that the claim `name` lists: a text, a list of texts or of objects with a name, or an object whose
 * keys are the groups. An empty list means that the user does not have groups.
 */
export function readGroups(claims: Record<string, unknown>, name: string): string[] | UnreadableGroups {
  const value = findClaim(claims, name)
  if (value === undefined || value === null) return isOverage(claims, name) ? 'groups overage' : 'groups missing'
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) {
    const names = value.flatMap(toNames)
    return value.length > 0 && names.length === 0 ? 'groups unreadable' : names
  }
  // Zitadel: {"editor": {"org id": "domain"}}.
  return isObject(value) && Object.values(value).every(isObject) ? Object.keys(value) : 'groups unreadable'
}

function toNames(item: unknown): string[] {
  if (typeof item === 'string') return [item]
  if (!isObject(item)) return []
  return [item.name, item.id, item.value].filter((text): text is string => typeof text === 'string')
}

/** Entra leaves out the groups of a user who is in more than 200, and names a URL to read them from instead. */
function isOverage(claims: Record<string, unknown>, name: string): boolean {
  const names = claims._claim_names
  const isNamed = isObject(names) && (Object.hasOwn(names, name) || Object.hasOwn(names, name.split('.')[0] ?? ''))
  return isNamed || (name === 'groups' && String(claims.hasgroups) === 'true')
}
