import { type ChangeLimitsInput, isOpen } from '#core'
import type { BatchableWrite } from '../batching/group-commit.js'
import { assertAllChanged, type LockedSecret } from '../queries/lock-secrets.js'

/** Replaces the limits of a secret without views, if they have not changed since the caller read them. */
export const changeLimits: BatchableWrite<ChangeLimitsInput, boolean> = {
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  async runBatch({ tx, secrets }, inputs) {
    const changing = inputs.filter((input) => isChangeable(secrets.get(input.id), input))
    for (const { id, to } of changing) {
      const changes = { max_views: to.maxViews, allowed_ip: to.allowedIp }
      const ends = { expires_at: to.expiresAt, cleanup_at: to.expiresAt }
      // The row lock makes the condition redundant. It stays as a second safeguard.
      const changed = await tx('secrets')
        .where({ id, views: 0 })
        .update({ ...changes, ...ends })
      assertAllChanged(changed, [id])
      const { receiptHash, preventBurn } = secrets.get(id) as LockedSecret
      if (receiptHash !== undefined) {
        const limits = { max_views: preventBurn ? null : to.maxViews, expires_at: to.expiresAt }
        await tx('receipts').where({ hash: receiptHash }).update(limits)
      }
      if (secrets.get(id)?.files) {
        const files = tx('attachments').where({ secret_id: id }).where('expires_at', '>', to.expiresAt)
        await files.update({ expires_at: to.expiresAt })
      }
    }
    return inputs.map((input) => changing.includes(input))
  },
}

function isChangeable(secret: LockedSecret | undefined, { now, from }: ChangeLimitsInput): boolean {
  if (!secret || !isOpen(secret, now) || secret.views > 0) return false
  const { maxViews, expiresAt, allowedIp } = from
  return secret.maxViews === maxViews && secret.expiresAt === expiresAt && secret.allowedIp === allowedIp
}
