import { timingSafeEqual } from 'node:crypto'

/** Compares two hashes in constant time. */
export const isEqualHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
