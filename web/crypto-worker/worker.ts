/** Web worker for key derivation, encryption and decryption, which would block the page. */
import type { ViewedSecret } from '#shared/api'
import { type AttachedFile, attachedFiles } from '#shared/client/attached-files'
import {
  type Draft,
  decryptViewed,
  type EncryptedSecret,
  encryptSecret,
  type TamperWarning,
} from '#shared/crypto/encrypt-secret'
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
  warnings: TamperWarning[]
}

const jobs = {
  keys: (fragment: string, password?: string) => deriveKeys(parseFragment(fragment), password),

  /** Throws RangeError when the text contains an unpaired surrogate. */
  seal: async (draft: Omit<Draft, 'text'> & { text: string }): Promise<EncryptedSecret> =>
    encryptSecret({ ...draft, text: encodeText(draft.text) }),

  open: async (viewed: ViewedSecret, passphrase: string, maxTextBytes: number): Promise<DecryptedSecret> => {
    const { header, text, warnings } = await decryptViewed(viewed, passphrase, maxTextBytes)
    const files = attachedFiles(viewed, header)
    return { title: header.title, text: decodeText(text), bytes: new Uint8Array(text), files, warnings }
  },
}

export type CryptoJobs = typeof jobs

serveJobs(jobs)
