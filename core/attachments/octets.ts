import type { Readable } from 'node:stream'

/** Bytes with their exact number. */
export interface Octets {
  body: Readable
  length: number
}
