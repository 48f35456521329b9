/** Reads a viewed submission of a secret request. */
import type { ViewedSecret } from '../api/index.js'
import { deriveCollectKeys } from '../crypto/request-keys.js'
import { decryptSubmission } from '../crypto/submission.js'
import type { CollectLink } from '../request-link.js'
import { attachedFiles, type ViewedContent } from './viewed-content.js'

/** `tag`: equal for a submission that was sent or returned twice. */
export interface SubmissionContent extends ViewedContent {
  tag: string
}

/** Decrypts and checks a submission. Throws DecryptError or RequestTamperedError, see `isDamaged`. */
export async function readSubmission(
  viewed: ViewedSecret,
  { id: requestId, requestKey }: Pick<CollectLink, 'id' | 'requestKey'>,
  maxTextBytes: number,
): Promise<SubmissionContent> {
  const { identity, authenticKey } = deriveCollectKeys(requestKey)
  const keys = { identity, authenticKey, requestId }
  const { header, text, warnings, tag } = await decryptSubmission(viewed, keys, maxTextBytes)
  return { title: header.title, text, files: attachedFiles(viewed, header), warnings, tag }
}
