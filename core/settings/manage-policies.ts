/** Use cases of administrators for policies: list, change and explain them. */
import type { App } from '../app.js'
import { type AuthContext, anonymous, toAuthContext } from '../contracts/auth-context.js'
import { AppError, fieldError } from '../lib/errors.js'
import type { ExplainedPolicy, PolicyTable, UpdatePolicies } from '../shared/api/index.js'
import { allowsLifetime } from '../shared/lifetimes.js'
import {
  COLUMN_NAMES,
  formatPolicyValue,
  GROUP_PREFIX,
  GROUPS_MAX,
  isGroup,
  type Policies,
  type Policy,
  type PolicyColumn,
} from '../shared/policies.js'
import { listAudiences, listGroups, resolvePolicy } from './resolve-policy.js'

export async function listPolicies({ settings }: App): Promise<PolicyTable> {
  const { value: policies, version } = await settings.policies.read()
  return { policies, version }
}

/**
 * Replaces the given rows, and returns all; null removes a row. `version`: of the policies that the caller has read.
 * Throws AppError `settings.changed`, or `request.invalid` with the field.
 */
export async function updatePolicies(
  app: App,
  { policies: changes, version }: UpdatePolicies,
  caller: AuthContext,
): Promise<PolicyTable> {
  for (const [audience, row] of Object.entries(changes)) if (row) assertConsistent(app, audience, row)
  const after = await app.settings.policies.update((policies) => replaceRows(policies, changes), caller, version)
  return { policies: after.value, version: after.version }
}

/** A row without values is removed. Throws AppError `request.invalid` for too many groups. */
function replaceRows(policies: Policies, changes: UpdatePolicies['policies']): Policies {
  const rows: [string, Policy | null][] = Object.entries({ ...policies, ...changes })
  const hasValues = (row: Policy | null) => Object.values(row ?? {}).some((value) => value !== undefined)
  const after = Object.fromEntries(rows.flatMap(([audience, row]) => (row && hasValues(row) ? [[audience, row]] : [])))
  if (Object.keys(after).filter(isGroup).length > GROUPS_MAX) {
    throw fieldError('policies', `must name at most ${GROUPS_MAX} groups`)
  }
  return after
}

/**
 * The values for a user, or for a visitor, and the groups that count, with their origins. Throws AppError
 * `user.not_found`.
 */
export async function explainPolicy(app: App, username?: string): Promise<ExplainedPolicy> {
  const user = username === undefined ? null : await app.storage.users.find(username)
  if (username !== undefined && !user) throw new AppError('user.not_found')
  const holder = user ? toAuthContext(user, { address: null }) : anonymous(null)
  const settings = await app.settings.current()
  const audiences = listAudiences(holder, settings)
  const groups = listGroups(holder, settings).filter(({ name }) => audiences.includes(`${GROUP_PREFIX}${name}`))
  const policy = resolvePolicy(holder, settings, app.config)
  const values = COLUMN_NAMES.map((column) => {
    const { value, from } = policy[column]
    const isUnlimited = column === 'maxViews' && from.length === 0
    return { column, value: isUnlimited ? 'unlimited' : formatPolicyValue(column, value), from }
  })
  return { groups, values }
}

/** The row must allow its own defaults, and must not exceed the configuration. */
function assertConsistent({ config }: App, audience: string, row: Policy): void {
  const { lifetimes = [], defaultTtl, maxViews, defaultViews, maxFileBytes } = row
  const refuse = (column: PolicyColumn, problem: string) => {
    const field = `policies.${audience}.${column}`
    return fieldError(field, problem)
  }
  const ttlMax = audience === 'visitors' ? config.ttlMaxAnonymous : config.ttlMaxUser
  const longest = Math.max(0, ...lifetimes.map(({ max }) => max), defaultTtl ?? 0)
  if (longest > ttlMax) {
    const column = lifetimes.some(({ max }) => max > ttlMax) ? 'lifetimes' : 'defaultTtl'
    throw refuse(column, `must be at most ${formatPolicyValue('defaultTtl', ttlMax)}, the limit of the configuration`)
  }
  if (defaultTtl !== undefined && lifetimes.length > 0 && !allowsLifetime(lifetimes, defaultTtl)) {
    throw refuse('defaultTtl', 'must be one of the allowed lifetimes')
  }
  if (defaultViews !== undefined && maxViews !== undefined && defaultViews > maxViews) {
    throw refuse('defaultViews', `must be at most ${maxViews}`)
  }
  if (maxFileBytes !== undefined && maxFileBytes > config.maxFileBytes) {
    throw refuse('maxFileBytes', `must be at most ${config.maxFileBytes}, the limit of the configuration`)
  }
}
