/** Web worker for key derivation, encryption and decryption, which would block the page. */
import type { ViewedSecret } from '#shared/api'
import { type AttachedFile, attachedFiles } from '#shared/client/attached-files'
import { type Draft, type Mismatch, openViewed, type Sealed, seal } from '#shared/crypto/encrypt-secret'
import { decodeText, encodeText } from '#shared/crypto/envelope'
import { deriveKeys } from '#shared/crypto/keys'
import { parseFragment } from '#shared/link'
import { serveJobs } from './rpc-server.js'

/** `text` is null when the bytes are not UTF-8. */
export interface DecryptedSecret {
  title: string
  text: string | null
  bytes: Uint8Array<ArrayBuffer>
  files: AttachedFile[]
  mismatches: Mismatch[]
}

const jobs = {
  keys: (fragment: string, password?: string) => deriveKeys(parseFragment(fragment), password),

  /** Throws RangeError when the text contains an unpaired surrogate. */
  seal: async (draft: Omit<Draft, 'text'> & { text: string }): Promise<Sealed> =>
    seal({ ...draft, text: encodeText(draft.text) }),

  open: async (viewed: ViewedSecret, passphrase: string, maxTextBytes: number): Promise<DecryptedSecret> => {
    const { header, text, mismatches } = await openViewed(viewed, passphrase, maxTextBytes)
    const files = attachedFiles(viewed, header)
    return { title: header.title, text: decodeText(text), bytes: new Uint8Array(text), files, mismatches }
  },
}

export type CryptoJobs = typeof jobs

serveJobs(jobs)
