/** The policy that applies to a caller: the rows of the caller's audiences, within the limits of the configuration. */
import type { AuthContext } from '../contracts/auth-context.js'
import { allowsLifetime, type Lifetime } from '../shared/lifetimes.js'
import { MAX_VIEWS, TTL_MIN } from '../shared/limits.js'
import { type Audience, GROUP_PREFIX, type Policies, type PolicyColumn, type PolicyValues } from '../shared/policies.js'
import type { CurrentSettings } from './create-settings.js'
import { type Creator, findEmailRefusal } from './creation-rules.js'
import type { StartupConfig } from './startup-config.js'

type Limits = Pick<StartupConfig, 'ttlMaxAnonymous' | 'ttlMaxUser' | 'maxFileBytes'>
export type PolicyHolder = Creator & Pick<AuthContext, 'userId' | 'groups' | 'assignedGroups'>

export interface ResolvedValue<Column extends PolicyColumn> {
  value: PolicyValues[Column]
  /** Audiences of the rows that set the value; empty: the configuration or the built-in default. */
  from: Audience[]
}

/** `maxViews` without a row is the general maximum, and the number of views may be unlimited. */
export type ResolvedPolicy = { readonly [Column in PolicyColumn]: ResolvedValue<Column> }

/** Values without a row. `lifetimes` and `maxFileBytes`: from the configuration. */
const DEFAULTS = {
  defaultTtl: 86_400,
  maxViews: MAX_VIEWS,
  defaultViews: 1,
  password: 'offered',
  requireAddress: false,
  files: true,
  mayCreate: true,
  mayRequest: true,
} as const

/**
 * Audiences of a caller whose rows apply. Users who still have to verify their address count as visitors. The local
 * command line has direct database access, so no policy applies to it.
 */
export function listAudiences(caller: PolicyHolder, settings: CurrentSettings): Audience[] {
  const { role, userId } = caller
  if (role === null || findEmailRefusal(caller, settings)) return ['visitors']
  if (userId === null) return []
  const groups = listGroups(caller, settings).map(({ name }) => `${GROUP_PREFIX}${name}`)
  return [...new Set([role === 'admin' ? 'administrators' : 'users', ...groups])]
}

/** Groups of a user, by name. `provider`: that the group comes from; null: an administrator set it. */
export function listGroups(
  { groups, assignedGroups }: Pick<PolicyHolder, 'groups' | 'assignedGroups'>,
  { providers }: Pick<CurrentSettings, 'providers'>,
): { name: string; provider: string | null }[] {
  const ofProvider = groups !== null && providers.includes(groups.provider) ? groups : { provider: null, names: [] }
  return [
    ...assignedGroups.map((name) => ({ name, provider: null })),
    ...ofProvider.names.map((name) => ({ name, provider: ofProvider.provider })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Policies by their audiences. The table is the same object until the settings are read again. */
const resolved = new WeakMap<Policies, Map<string, ResolvedPolicy>>()

/** The most generous value of each column among the rows that set it. */
export function resolvePolicy(caller: PolicyHolder, settings: CurrentSettings, config: Limits): ResolvedPolicy {
  const { policies } = settings
  const audiences = listAudiences(caller, settings).filter((each) => policies[each])
  const isVisitor = caller.userId === null || findEmailRefusal(caller, settings) !== null
  const ttlMax = isVisitor ? config.ttlMaxAnonymous : config.ttlMaxUser
  const known = resolved.get(policies) ?? new Map<string, ResolvedPolicy>()
  resolved.set(policies, known)
  const key = JSON.stringify([ttlMax, audiences])
  const policy = known.get(key) ?? combineRows(policies, audiences, { ttlMax, maxFileBytes: config.maxFileBytes })
  known.set(key, policy)
  return policy
}

/**
 * Defaults of the forms and the command line of a caller: the caller's own defaults, or the defaults of the policy. A
 * value that the policy no longer allows becomes the nearest allowed value.
 */
export const startValues = (
  { lifetimes, defaultTtl, maxViews, defaultViews }: ResolvedPolicy,
  { defaults }: Pick<AuthContext, 'defaults'>,
): { ttl: number; views: number } => ({
  ttl: nearestLifetime(lifetimes.value, defaults.ttl ?? defaultTtl.value),
  views: Math.min(defaults.views ?? defaultViews.value, maxViews.value),
})

interface Bounds {
  ttlMax: number
  maxFileBytes: number
}

function combineRows(policies: Policies, audiences: Audience[], { ttlMax, maxFileBytes }: Bounds): ResolvedPolicy {
  const pick = <Column extends PolicyColumn>(
    column: Column,
    fallback: PolicyValues[Column],
    rank: (value: PolicyValues[Column]) => number,
  ): ResolvedValue<Column> => {
    const set = audiences.flatMap((audience) => {
      const value = policies[audience]?.[column] as PolicyValues[Column] | undefined
      return value === undefined ? [] : [{ audience, value }]
    })
    const best = set.toSorted((a, b) => rank(b.value) - rank(a.value))[0]
    if (!best) return { value: fallback, from: [] }
    const from = set.filter(({ value }) => rank(value) === rank(best.value)).map(({ audience }) => audience)
    return { value: best.value, from }
  }
  const lifetimes = uniteLifetimes(policies, audiences, ttlMax)
  const defaultTtl = pick('defaultTtl', DEFAULTS.defaultTtl, Number)
  const maxViews = pick('maxViews', DEFAULTS.maxViews, Number)
  const defaultViews = pick('defaultViews', DEFAULTS.defaultViews, Number)
  const fileBytes = pick('maxFileBytes', maxFileBytes, Number)
  return {
    lifetimes,
    defaultTtl: { value: nearestLifetime(lifetimes.value, defaultTtl.value), from: defaultTtl.from },
    maxViews,
    defaultViews: { value: Math.min(defaultViews.value, maxViews.value), from: defaultViews.from },
    password: pick('password', DEFAULTS.password, (value) => Number(value === 'offered')),
    requireAddress: pick('requireAddress', DEFAULTS.requireAddress, (value) => Number(!value)),
    files: pick('files', DEFAULTS.files, Number),
    maxFileBytes: { value: Math.min(fileBytes.value, maxFileBytes), from: fileBytes.from },
    mayCreate: pick('mayCreate', DEFAULTS.mayCreate, Number),
    mayRequest: pick('mayRequest', DEFAULTS.mayRequest, Number),
  }
}

/** Every lifetime that a row allows, up to the maximum of the configuration: sorted and without overlaps. */
function uniteLifetimes(policies: Policies, audiences: Audience[], ttlMax: number): ResolvedValue<'lifetimes'> {
  const from = audiences.filter((audience) => policies[audience]?.lifetimes)
  if (from.length === 0) return { value: [{ min: TTL_MIN, max: ttlMax }], from }
  const ranges = from
    .flatMap((audience) => policies[audience]?.lifetimes ?? [])
    .filter(({ min }) => min <= ttlMax)
    .map(({ min, max }) => ({ min, max: Math.min(max, ttlMax) }))
    .toSorted((a, b) => a.min - b.min)
  const united: Lifetime[] = []
  for (const range of ranges) {
    const last = united.at(-1)
    if (last && range.min <= last.max + 1) last.max = Math.max(last.max, range.max)
    else united.push(range)
  }
  return { value: united, from }
}

/** The lifetime itself if it is allowed, otherwise the next shorter allowed one, or the shortest. */
function nearestLifetime(lifetimes: Lifetime[], ttl: number): number {
  if (allowsLifetime(lifetimes, ttl)) return ttl
  const shorter = lifetimes.filter(({ max }) => max < ttl).at(-1)
  return shorter?.max ?? lifetimes[0]?.min ?? TTL_MIN
}
