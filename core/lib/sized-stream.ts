import type { Readable } from 'node:stream'

/** A stream with its exact length in bytes. */
export interface SizedStream {
  body: Readable
  length: number
}
