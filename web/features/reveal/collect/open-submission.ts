/** Opens one submission. */
import type { CollectLink } from '#shared/request-link'
import { requestCrypto } from '../../../crypto-worker/request-crypto.js'
import { api } from '../../../lib/api.js'
import { loadFilesCard } from '../files/load-files-card.js'
import type { RevealedSecret } from '../revealed-content.js'

/**
 * Views and decrypts a submission. A retry with the same claim uses no other view. Throws ApiError, NetworkError, or a
 * JobError named DecryptError or RequestTamperedError.
 */
export async function openSubmission(
  { id, files }: { id: string; files: number },
  { id: requestId, requestKey }: CollectLink,
  { claim, maxTextBytes }: { claim: string; maxTextBytes: number },
): Promise<RevealedSecret> {
  // A view must not be wasted because the code for files cannot be loaded.
  if (files > 0) await loadFilesCard()
  const collectProof = await requestCrypto.collectProof(requestKey)
  const viewed = await api.view(id, { access: collectProof, claim })
  const opened = await requestCrypto.open(viewed, { requestKey, requestId }, maxTextBytes)
  // Without the acknowledgement the server keeps the ciphertext until the grace period ends. No need to tell the user.
  api.ack(id, { access: collectProof, claim }).catch(() => {})
  return { ...opened, id, viewsLeft: viewed.maxViews, expiresAt: viewed.expiresAt, burnProof: null }
}
