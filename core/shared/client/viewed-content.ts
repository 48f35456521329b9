/** Views a secret, reads its text and the description of its files, and acknowledges the view. */
import { base64urlnopad } from '@scure/base'
import type { AckSecret, ViewedSecret } from '../api/index.js'
import { decryptViewed, type TamperWarning } from '../crypto/encrypt-secret.js'
import type { EnvelopeHeader } from '../crypto/envelope.js'
import { deriveKeys, type Keys } from '../crypto/keys.js'
import { ApiError, type Client } from './client.js'

/** A file that can be downloaded. */
export interface AttachedFile {
  id: string
  /** Chosen by the sender. Use `safeFileName` before showing or saving it. */
  name: string
  /** Media type. */
  type: string
  /** Plaintext bytes. */
  size: number
  /** null: the server did not list this file. */
  ticket: string | null
  /** Key (32 bytes) and digest (hex). null: a file of a raw or public secret, which is not encrypted. */
  sealed: { key: Uint8Array; digest: string } | null
}

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
 * Uses a view. A repetition with the same claim and a wrong password do not use a view. `linkKey`: null for a secret
 * that is not sealed. `code`: of a named recipient. Throws ApiError, NetworkError or InvalidResponseError.
 */
export async function viewSecret(
  client: Pick<Client, 'view'>,
  { id, linkKey, claim, code }: { id: string; linkKey: Uint8Array | null; claim: string; code?: string | undefined },
  password: string | undefined,
): Promise<View> {
  const keys = linkKey ? await deriveKeys(linkKey, password) : null
  const viewed = await client.view(id, { claim, ...toViewProofs(keys, password), ...(code && { code }) })
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

/**
 * Of a sealed secret the files in `header`, which only the sender can have written; of other secrets the server's list.
 */
export function attachedFiles(viewed: ViewedSecret, header: EnvelopeHeader | null): AttachedFile[] {
  if (!header) {
    return viewed.files.map(({ id, name = '', type = '', size, key }) => {
      return { id, name, type, size, ticket: key, sealed: null }
    })
  }
  const tickets = new Map(viewed.files.map(({ id, key }) => [id, key]))
  return header.files.map(({ id, name, type, size, key, digest }) => {
    return {
      id,
      name,
      type,
      size,
      ticket: tickets.get(id) ?? null,
      sealed: { key: base64urlnopad.decode(key), digest },
    }
  })
}

/**
 * Tells the server that a view arrived, after which it deletes a used-up secret. Resolves also for an unknown claim:
 * the view is acknowledged already, or its period is over. Throws ApiError or NetworkError.
 */
export async function acknowledge(client: Pick<Client, 'ack'>, id: string, body: AckSecret): Promise<void> {
  try {
    await client.ack(id, body)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'secret.not_found') throw error
  }
}
