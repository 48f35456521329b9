/** How much one uploader may send in a day, and how much the instance stores. */

import type { UploadLimits, UploadRefusal } from '../contracts/attachments.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError } from '../lib/errors.js'
import type { StorageUsage, UploadUsage } from '../shared/api/index.js'
import type { AttachmentDeps, AttachmentSettings } from './attachment-deps.js'
import { deriveUploaderId, type QuotaShare } from './uploader-id.js'

const DAY_MS = 24 * 60 * 60_000
/** Smaller texts are not charged: each would cost a transaction, and the limit on creates already bounds them. */
export const SMALL_TEXT = 64 * 1024

type QuotaDeps = Pick<AttachmentDeps, 'limits' | 'settings' | 'key' | 'now'>

export function uploadLimitsOf(caller: AuthContext, settings: AttachmentSettings): UploadLimits {
  const { maxOpenUploads, instanceBytes } = settings
  return {
    ...{ open: maxOpenUploads, bytes: bytesPerDay(caller, settings), windowMs: DAY_MS },
    storedBytes: instanceBytes,
  }
}

/** Charges a text to a daily quota of the caller. Throws AppError `file.quota_used_up`. */
export async function chargeText(
  { limits, settings, key, now }: QuotaDeps,
  bytes: number,
  caller: AuthContext,
  share: QuotaShare = 'own',
): Promise<void> {
  const limit = bytesPerDay(caller, settings)
  if (limit === null || bytes <= SMALL_TEXT) return
  const name = deriveUploaderId(caller, key, share)
  const [result] = await limits.consume([{ name, points: bytes, limit, windowMs: DAY_MS }], now())
  if (result && !result.granted)
    throw quotaError({ limit: 'bytes', until: result.endsAt }, uploadLimitsOf(caller, settings), now())
}

/** AppError `file.too_many_uploads`, `file.quota_used_up` or `file.no_space`. `now`: epoch ms. */
export function quotaError(refusal: UploadRefusal, { bytes, storedBytes }: UploadLimits, now: number): AppError {
  if (refusal.limit === 'stored') {
    return new AppError('file.no_space', { message: `All files together may take up to ${storedBytes} bytes.` })
  }
  const retryAfter = Math.max(1, Math.ceil((refusal.until - now) / 1000))
  if (refusal.limit === 'open') return new AppError('file.too_many_uploads', { retryAfter })
  const message = `The upload quota of ${bytes} bytes per day is used up, or too little of it is left.`
  return new AppError('file.quota_used_up', { retryAfter, message })
}

/** What the caller has sent in the current window, without submissions to the caller's requests. */
export async function readUploadUsage(
  { limits, settings, key, now }: QuotaDeps,
  caller: AuthContext,
): Promise<UploadUsage> {
  const name = deriveUploaderId(caller, key)
  const limitBytes = bytesPerDay(caller, settings)
  const request = { name, points: 0, limit: limitBytes ?? 0, windowMs: DAY_MS }
  const [window] = await limits.consume([request], now())
  const isOpen = window !== undefined && window.endsAt > now()
  return { usedBytes: isOpen ? window.used : 0, limitBytes, endsAt: isOpen ? window.endsAt : null }
}

/** What all files and uploads take. */
export const readStorageUsage = async ({
  store,
  settings,
}: Pick<AttachmentDeps, 'store' | 'settings'>): Promise<StorageUsage> => ({
  usedBytes: await store.sumBytes(),
  limitBytes: settings.instanceBytes,
})

/** null: no limit. */
const bytesPerDay = ({ userId }: AuthContext, settings: AttachmentSettings): number | null =>
  userId === null ? settings.visitorBytesPerDay : settings.userBytesPerDay
