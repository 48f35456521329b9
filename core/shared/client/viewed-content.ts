/** Views a secret and reads what it contains. */
import type { ViewedSecret } from '../api/index.js'
import { decryptViewed, type TamperWarning } from '../crypto/encrypt-secret.js'
import { deriveKeys, type Keys } from '../crypto/keys.js'
import { type AttachedFile, attachedFiles } from './attached-files.js'
import type { Client } from './client.js'

/** Decrypted content. `text`: bytes, so that any content arrives unchanged. */
export interface ViewedContent {
  title: string
  text: Uint8Array
  files: AttachedFile[]
  /** Options that the server changed. */
  warnings: TamperWarning[]
}

/** A response to a view. `keys`: null for a secret that is not sealed. */
export interface View {
  viewed: ViewedSecret
  keys: Keys | null
}

/**
 * Uses a view. A repetition with the same claim uses no further one, and a wrong password none. `linkKey`: null for a
 * secret that is not sealed. Throws ApiError, NetworkError or InvalidResponseError.
 */
export async function viewSecret(
  client: Pick<Client, 'view'>,
  { id, linkKey, claim }: { id: string; linkKey: Uint8Array | null; claim: string },
  password: string | undefined,
): Promise<View> {
  const keys = linkKey ? await deriveKeys(linkKey, password) : null
  const viewed = await client.view(id, { claim, ...toViewProofs(keys, password) })
  return { viewed, keys }
}

/** The proofs of a view. The password itself is sent only for a secret that is not sealed. */
export const toViewProofs = (keys: Keys | null, password?: string): { access?: string; password?: string } =>
  keys
    ? { access: keys.access, ...(keys.passwordProof && { password: keys.passwordProof }) }
    : { ...(password && { password }) }

/** Decrypts the content of a sealed secret. Throws DecryptError. */
export async function readSealedView(
  viewed: ViewedSecret,
  passphrase: string,
  maxTextBytes: number,
): Promise<ViewedContent> {
  const { header, text, warnings } = await decryptViewed(viewed, passphrase, maxTextBytes)
  return { title: header.title, text, files: attachedFiles(viewed, header), warnings }
}

/** Reads the content of a raw or public secret, which arrives as plaintext. */
export const readPlainView = (viewed: ViewedSecret): ViewedContent => ({
  title: viewed.title ?? '',
  text: new TextEncoder().encode(viewed.text),
  files: attachedFiles(viewed, null),
  warnings: [],
})
