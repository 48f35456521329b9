/** The files of a decrypted secret: the sender's description and the server's download tickets. */
import { base64urlnopad } from '@scure/base'
import type { ViewedSecret } from '../api/index.js'
import type { EnvelopeHeader } from '../crypto/envelope.js'

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
