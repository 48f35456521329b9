/** Presets: use cases of administrators, and the presets of a caller. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { fieldError } from '../lib/errors.js'
import type { Presets, UpdatePresets } from '../shared/api/index.js'
import { allowsLifetime } from '../shared/lifetimes.js'
import { formatPolicyValue } from '../shared/policies.js'
import type { Preset } from '../shared/presets.js'
import type { ResolvedPolicy } from './resolve-policy.js'

export async function listPresets({ settings }: App): Promise<Presets> {
  const { value: presets, version } = await settings.presets.read()
  return { presets, version }
}

/**
 * Replaces all presets. `version`: of the presets that the caller has read. Throws AppError `settings.changed`, or
 * `request.invalid` with the field.
 */
export async function updatePresets(
  app: App,
  { presets, version }: UpdatePresets,
  caller: AuthContext,
): Promise<Presets> {
  const ttlMax = Math.max(app.config.ttlMaxAnonymous, app.config.ttlMaxUser)
  for (const [at, { ttl = 0 }] of presets.entries()) {
    if (ttl <= ttlMax) continue
    const limit = formatPolicyValue('defaultTtl', ttlMax)
    throw fieldError(`presets.${at}.ttl`, `must be at most ${limit}, the limit of the configuration`)
  }
  const after = await app.settings.presets.update(() => presets, caller, version)
  return { presets: after.value, version: after.version }
}

/** Presets whose options the policy allows. `canSendCodes`: named recipients get their codes by e-mail. */
export function listAllowedPresets(presets: Preset[], policy: ResolvedPolicy, canSendCodes: boolean): Preset[] {
  const { lifetimes, maxViews } = policy
  return presets.filter(
    ({ ttl, maxViews: views = 1, options }) =>
      (ttl === undefined || allowsLifetime(lifetimes.value, ttl)) &&
      views <= maxViews.value &&
      (maxViews.from.length === 0 || !options.includes('preventBurn')) &&
      (canSendCodes || !options.includes('recipients')),
  )
}
