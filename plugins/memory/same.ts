import { timingSafeEqual } from 'node:crypto'

/** Compares hashes, in a time that does not tell where they differ. */
export const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
