import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { viewsLeft } from '../contracts/secret-state.js'
import type { SecretLimits, SecretMeta } from '../contracts/storage.js'
import { AppError, fieldError } from '../lib/errors.js'
import { isNarrowerRange } from '../lib/ip.js'
import type { LoweredLimits, LowerLimits } from '../shared/api/index.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { recordChanged } from './record-secret-event.js'
import { hasProof, isCreator, parseSecretRef } from './secret-access.js'

/**
 * Lowers limits of a secret that was never viewed, for its creator. Throws AppError `secret.not_found`, the same for
 * every reason; `secret.changed` when it was viewed or changed; `request.invalid` with the field that would raise a
 * limit.
 */
export async function lowerLimits(
  app: App,
  id: string,
  { burnToken, ...wanted }: LowerLimits,
  caller: AuthContext,
): Promise<LoweredLimits> {
  const { now } = app
  const store = app.storage.secrets
  const meta = await store.peekBurnable(parseSecretRef(id).lookup, now())
  if (!meta || !isAllowed(meta, caller, burnToken)) throw new AppError('secret.not_found')
  if (meta.views > 0) throw new AppError('secret.changed')
  const { maxViews, expiresAt, allowedIp } = meta
  const lowered = lower(meta, wanted, now())
  if (!(await store.changeLimits({ id: meta.id, now: now(), from: { maxViews, expiresAt, allowedIp }, to: lowered }))) {
    throw new AppError('secret.changed')
  }
  const changed = { ...meta, ...lowered }
  await recordChanged(app, changed, caller)
  return { id, maxViews: viewsLeft(changed), expiresAt: changed.expiresAt, allowedIp: changed.allowedIp }
}

/** A reader with the link may burn the secret, but not change it. */
function isAllowed(meta: SecretMeta, caller: AuthContext, burnToken: string | undefined): boolean {
  if (burnToken !== undefined && hasProof(meta.burnHash, burnToken)) return true
  return isCreator(meta, caller) && caller.scopes.includes('account')
}

function lower(
  meta: SecretMeta,
  { maxViews, ttl, allowedIp }: Omit<LowerLimits, 'burnToken'>,
  now: EpochMs,
): SecretLimits {
  if (maxViews !== undefined && maxViews > (viewsLeft(meta) ?? 0)) {
    const most = viewsLeft(meta)
    throw fieldError('maxViews', most === null ? 'must not be set: views are not limited' : `must be at most ${most}`)
  }
  const expiresAt = ttl === undefined ? meta.expiresAt : now + ttl * 1000
  if (expiresAt > meta.expiresAt) {
    throw fieldError('ttl', `must be at most ${Math.floor((meta.expiresAt - now) / 1000)}`)
  }
  if (allowedIp !== undefined && meta.kind === 'public') {
    throw fieldError('allowedIp', 'must not be set for a public secret, which everyone can read')
  }
  if (allowedIp !== undefined && !isNarrowerRange(allowedIp, meta.allowedIp)) {
    throw fieldError('allowedIp', `must be inside ${meta.allowedIp}`)
  }
  return { maxViews: maxViews ?? meta.maxViews, expiresAt, allowedIp: allowedIp ?? meta.allowedIp }
}
