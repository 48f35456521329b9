/** How much one uploader may send in a day, and how much the instance stores. */
import type { App } from '../app.js'
import type { UploadLimits, UploadRefusal } from '../contracts/attachments.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError } from '../lib/errors.js'
import { OperatorError } from '../lib/operator-error.js'
import type { StartupConfig } from '../settings/startup-config.js'
import type { StorageUsage, UploadUsage } from '../shared/api/index.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { deriveSharedIds, deriveUploaderId, type QuotaShare } from './uploader-id.js'

const DAY_MS = 24 * 60 * 60_000
/** Bytes that a process reserves of a quota for the next texts. Files are charged without a reservation. */
const RESERVED_BYTES = 2 ** 20
/** Smaller texts are not charged: each would cost a transaction, and the limit on creates already bounds them. */
export const SMALL_TEXT = 64 * 1024

/**
 * Budgets that visitors share, as multiples of the daily quota of one: of an IPv6 /48 network, which has 65,536
 * addresses that count as one visitor each, and of all visitors.
 */
export const SHARED_FACTORS = { site: 5, visitors: 50 }

export function uploadLimitsOf(caller: AuthContext, config: StartupConfig): UploadLimits {
  const { maxOpenUploads, maxFiles, instanceBytes } = config
  return {
    // All files of a secret are open until it is created.
    open: Math.max(maxOpenUploads, maxFiles),
    bytes: bytesPerDay(caller, config),
    windowMs: DAY_MS,
    storedBytes: instanceBytes,
  }
}

/** Charges a text to a daily quota of the caller. Throws AppError `file.quota_used_up`. */
export async function chargeText(
  app: App,
  bytes: number,
  caller: AuthContext,
  share: QuotaShare = 'own',
): Promise<void> {
  const { config, key, now } = app
  const limit = bytesPerDay(caller, config)
  if (limit === null || bytes <= SMALL_TEXT) return
  const name = deriveUploaderId(caller, key, share)
  const reservation = { canReserve: true, reserveMax: RESERVED_BYTES }
  const request = { name, points: bytes, limit, windowMs: DAY_MS, ...reservation }
  const [result] = await app.limits.budgets.consume([request], now())
  if (result && !result.granted)
    throw quotaError({ limit: 'bytes', until: result.endsAt }, uploadLimitsOf(caller, config), now())
  await chargeSharedBudgets(app, bytes, caller)
}

/**
 * Charges bytes of a visitor to the budgets that visitors share, the smallest first: a network without budget left does
 * not use up the other budgets. Call it after the visitor's own quota was charged. Throws AppError
 * `file.quota_used_up`.
 */
export async function chargeSharedBudgets(
  { limits, config, key, now }: App,
  bytes: number,
  { userId, address }: AuthContext,
): Promise<void> {
  if (userId !== null) return
  const ids = deriveSharedIds(address, key)
  for (const [share, name] of [['site', ids.site] as const, ['visitors', ids.visitors] as const]) {
    if (name === null) continue
    const limit = config.visitorBytesPerDay * SHARED_FACTORS[share]
    const request = { name, points: bytes, limit, windowMs: DAY_MS, canReserve: true }
    const [result] = await limits.budgets.consume([request], now())
    if (!result || result.granted) continue
    const retryAfter = Math.max(1, Math.ceil((result.endsAt - now()) / 1000))
    const message = 'The upload quota that visitors share is used up, or too little of it is left.'
    throw new AppError('file.quota_used_up', { retryAfter, message })
  }
}

/** AppError `file.too_many_uploads`, `file.quota_used_up`, `file.no_space` or `token.used_up`. */
export function quotaError(refusal: UploadRefusal, { bytes, storedBytes }: UploadLimits, now: EpochMs): AppError {
  if (refusal.limit === 'token') return new AppError('token.used_up')
  if (refusal.limit === 'stored') {
    const message = `All files together may take up to ${storedBytes} bytes.`
    const cause = new OperatorError(message, { hint: 'raise instanceBytes, or delete secrets' })
    return new AppError('file.no_space', { message }, { cause })
  }
  const retryAfter = Math.max(1, Math.ceil((refusal.until - now) / 1000))
  if (refusal.limit === 'open') return new AppError('file.too_many_uploads', { retryAfter })
  const message = `The upload quota of ${bytes} bytes per day is used up, or too little of it is left.`
  return new AppError('file.quota_used_up', { retryAfter, message })
}

/** Bytes that the caller has sent in the current window, without submissions to the caller's requests. */
export async function readUploadUsage({ limits, config, key, now }: App, caller: AuthContext): Promise<UploadUsage> {
  const name = deriveUploaderId(caller, key)
  const limitBytes = bytesPerDay(caller, config)
  const request = { name, points: 0, limit: limitBytes ?? 0, windowMs: DAY_MS, canReserve: true }
  const [window] = await limits.budgets.consume([request], now())
  const isOpen = window !== undefined && window.endsAt > now()
  return { usedBytes: isOpen ? window.used : 0, limitBytes, endsAt: isOpen ? window.endsAt : null }
}

/** Bytes of all files and uploads. */
export const readStorageUsage = async ({ storage, config }: App): Promise<StorageUsage> => ({
  usedBytes: await storage.attachments.sumBytes(),
  limitBytes: config.instanceBytes,
})

/** null: no limit. */
const bytesPerDay = ({ userId }: AuthContext, config: StartupConfig): number | null =>
  userId === null ? config.visitorBytesPerDay : config.userBytesPerDay
