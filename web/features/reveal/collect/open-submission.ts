/** Opens one submission. */
import type { PublicSettings } from '#shared/api'
import { acknowledge } from '#shared/client/viewed-content'
import type { CollectLink } from '#shared/request-link'
import { requestCrypto } from '../../../crypto-worker/request-crypto.js'
import { api } from '../../../lib/api.js'
import type { ClaimedView } from '../../../lib/claimed-view.js'
import { filesCardPart } from '../files/files-card-part.js'
import { createOpenedSecret, type OpenedSecret } from '../opened-secret.js'

/**
 * Views and decrypts a submission. A retry with the same view uses no other one. Throws ApiError, NetworkError, or a
 * JobError named DecryptError or RequestTamperedError.
 */
export async function openSubmission(
  { id, files }: { id: string; files: number },
  link: CollectLink,
  view: ClaimedView,
  limits: PublicSettings['limits'],
): Promise<{ opened: OpenedSecret; tag: string }> {
  // A view must not be wasted because the code for files cannot be loaded.
  if (files > 0) await filesCardPart.load()
  const collectProof = await requestCrypto.collectProof(link.requestKey)
  const viewed = await view.request({ access: collectProof }, null)
  const { tag, ...decrypted } = await requestCrypto.open(viewed, link, limits.maxTextBytes)
  const content = { ...decrypted, id, viewsLeft: viewed.maxViews, expiresAt: viewed.expiresAt, burnProof: null }
  return { opened: createOpenedSecret(content, collectProof, view.sent(), limits), tag }
}

/**
 * Deletes a submission that was viewed and whose check failed. Without a connection, the server deletes it when the
 * period of its claim ends.
 */
export async function deleteDamaged(id: string, { requestKey }: CollectLink, view: ClaimedView): Promise<void> {
  const access = await requestCrypto.collectProof(requestKey)
  await acknowledge(api, id, { access, claim: view.sent().claim, damaged: true }).then(view.forget, () => {})
}
