/** How much one uploader may store. */

import type { UploadLimits, UploadRefusal } from '../contracts/attachments.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError } from '../lib/errors.js'
import type { AttachmentDeps, AttachmentSettings } from './attachment-deps.js'
import { deriveUploaderId } from './uploader-id.js'

const DAY_MS = 24 * 60 * 60_000
/** Smaller texts are not charged: each would cost a transaction, and the limit on creates already bounds them. */
export const SMALL_TEXT = 64 * 1024

export function uploadLimitsOf({ userId }: AuthContext, settings: AttachmentSettings): UploadLimits {
  const bytes = userId === null ? settings.visitorBytesPerDay : null
  return { open: settings.maxOpenUploads, bytes, windowMs: DAY_MS }
}

/** Charges a text to the daily quota of a visitor. Throws AppError `file.quota_used_up`. */
export async function chargeText(
  { limits, settings, key, now }: Pick<AttachmentDeps, 'limits' | 'settings' | 'key' | 'now'>,
  bytes: number,
  caller: AuthContext,
): Promise<void> {
  if (caller.userId !== null || bytes <= SMALL_TEXT) return
  const name = deriveUploaderId(caller, key)
  const [result] = await limits.consume(
    [{ name, points: bytes, limit: settings.visitorBytesPerDay, windowMs: DAY_MS }],
    now(),
  )
  if (result && !result.granted) throw quotaError({ limit: 'bytes', until: result.endsAt }, now())
}

/** AppError `file.too_many_uploads` or `file.quota_used_up`. `now`: epoch ms. */
export function quotaError({ limit, until }: UploadRefusal, now: number): AppError {
  const retryAfter = Math.max(1, Math.ceil((until - now) / 1000))
  return new AppError(limit === 'open' ? 'file.too_many_uploads' : 'file.quota_used_up', { retryAfter })
}
