/** Web worker for key derivation, encryption and decryption, which would block the page. */
import type { ViewedSecret } from '#shared/api'
import { readSealedView, type ViewedContent } from '#shared/client/viewed-content'
import { type Draft, type EncryptedSecret, encryptSecret } from '#shared/crypto/encrypt-secret'
import { decodeText, encodeText } from '#shared/crypto/envelope'
import { deriveKeys } from '#shared/crypto/keys'
import { parseFragment } from '#shared/link'
import { serveJobs } from './rpc-server.js'

/** `text` is null when the bytes are not UTF-8. */
export interface DecryptedSecret extends Omit<ViewedContent, 'text'> {
  text: string | null
  bytes: Uint8Array<ArrayBuffer>
}

const jobs = {
  keys: (fragment: string, password?: string) => deriveKeys(parseFragment(fragment), password),

  /** Throws RangeError when the text contains an unpaired surrogate. */
  seal: async (draft: Omit<Draft, 'text'> & { text: string }): Promise<EncryptedSecret> =>
    encryptSecret({ ...draft, text: encodeText(draft.text) }),

  open: async (viewed: ViewedSecret, passphrase: string, maxTextBytes: number): Promise<DecryptedSecret> => {
    const content = await readSealedView(viewed, passphrase, maxTextBytes)
    return { ...content, text: decodeText(content.text), bytes: new Uint8Array(content.text) }
  },
}

export type CryptoJobs = typeof jobs

serveJobs(jobs)
