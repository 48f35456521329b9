import type { Client } from '#shared/client/client'
import type { Uploaded, UploadOptions } from '#shared/client/upload'

/** A file of a new secret, wherever its bytes come from. */
export interface OutgoingFile {
  name: string
  /** Bytes. */
  size: number
  send(client: Client, options: UploadOptions): Promise<Uploaded>
  close(): Promise<void>
}
