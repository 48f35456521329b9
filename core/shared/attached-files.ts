/** The files of an opened secret: what their sender wrote about them, and the tickets that the server gave for them. */
import { base64urlnopad } from '@scure/base'
import type { ViewedSecret } from './api.js'
import type { EnvelopeHeader } from './envelope.js'

/** A file that can be downloaded. */
export interface AttachedFile {
  id: string
  /** As its sender wrote it: `safeFileName` before it is shown or saved. */
  name: string
  /** Media type. */
  type: string
  /** Bytes of the file itself. */
  size: number
  /** null: the server does not tell of this file. */
  ticket: string | null
  /** The 32 bytes of its key and the SHA-256 of the file, hex; null: raw and public files arrive as they are. */
  sealed: { key: Uint8Array; sha256: string } | null
}

/** Of a sealed secret what the header says, which nobody but the sender wrote; of others what the server tells. */
export function attachedFiles(viewed: ViewedSecret, header: EnvelopeHeader | null): AttachedFile[] {
  if (!header) {
    return viewed.files.map(({ id, name = '', type = '', size, key }) => {
      return { id, name, type, size, ticket: key, sealed: null }
    })
  }
  const tickets = new Map(viewed.files.map(({ id, key }) => [id, key]))
  return header.files.map(({ id, name, type, size, key, sha256 }) => {
    return {
      id,
      name,
      type,
      size,
      ticket: tickets.get(id) ?? null,
      sealed: { key: base64urlnopad.decode(key), sha256 },
    }
  })
}
