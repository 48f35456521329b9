/** What administrators do with policies: list, change and explain them. */
import type { App } from '../app.js'
import { type AuthContext, anonymous, toAuthContext } from '../contracts/auth-context.js'
import { AppError } from '../lib/errors.js'
import type { ExplainedPolicy, PolicyTable, UpdatePolicies } from '../shared/api/index.js'
import { allowsLifetime } from '../shared/lifetimes.js'
import { COLUMN_NAMES, formatPolicyValue, GROUP_PREFIX, type Policy, type PolicyColumn } from '../shared/policies.js'
import { listAudiences, listGroups, resolvePolicy } from './resolve-policy.js'

export const listPolicies = ({ settings }: App): Promise<PolicyTable> => settings.readPolicies()

/** Replaces the given rows. Throws AppError `settings.policies_changed`, or `request.invalid` with the field. */
export async function updatePolicies(
  app: App,
  { policies, version }: UpdatePolicies,
  caller: AuthContext,
): Promise<PolicyTable> {
  for (const [audience, row] of Object.entries(policies)) if (row) assertConsistent(app, audience, row)
  return app.settings.updatePolicies(policies, caller, version)
}

/** The values for a user, or for a visitor, and the groups that count, with their origins. Throws AppError `user.not_found`. */
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

/** The row must allow its own defaults, and nothing beyond the configuration. */
function assertConsistent({ config }: App, audience: string, row: Policy): void {
  const { lifetimes = [], defaultTtl, maxViews, defaultViews, maxFileBytes } = row
  const refuse = (column: PolicyColumn, problem: string) => {
    const field = `policies.${audience}.${column}`
    return new AppError('request.invalid', { field, message: `${field}: ${problem}` })
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
