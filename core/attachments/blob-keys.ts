/** Keys of blobs: 24 characters for the file and 8 for the part. Clients never see them. */
import { randomBytes } from 'node:crypto'

const BLOB_LENGTH = 24
const INDEX_LENGTH = 8

/** A random prefix for the keys of one file. */
export const createBlobId = (): string => randomBytes(BLOB_LENGTH / 2).toString('hex')

/** The key of one part: 32 characters of [a-z0-9]. */
export const blobKey = (blob: string, index: number): string => blob + index.toString(36).padStart(INDEX_LENGTH, '0')

/** The prefix of a key. */
export const blobIdOf = (key: string): string => key.slice(0, BLOB_LENGTH)
