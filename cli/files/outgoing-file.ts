import type { Client } from '#shared/client/client'
import type { Uploaded, UploadPartsOptions } from '#shared/client/upload'

/** A file of a new secret: from disk, a pipe or memory. */
export interface OutgoingFile {
  name: string
  /** Bytes. */
  size: number
  send(client: Client, options: UploadPartsOptions): Promise<Uploaded>
  close(): Promise<void>
}
