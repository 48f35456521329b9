import type { Readable } from 'node:stream'

/** A file that the server creates while it sends it. */
export interface DocumentStream {
  body: Readable
  /** Media type. */
  type: string
  /** File name: a constant, never a value of a client. */
  name: string
}
