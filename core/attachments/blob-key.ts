/** The keys of blobs: 24 characters that name the file, 8 that name the part. Nobody outside ever sees one. */
import { randomBytes } from 'node:crypto'

const BLOB_LENGTH = 24
const INDEX_LENGTH = 8

/** What the keys of one file's blobs begin with. */
export const newBlob = (): string => randomBytes(BLOB_LENGTH / 2).toString('hex')

/** The key of one part: 32 characters of [a-z0-9]. */
export const blobKey = (blob: string, index: number): string => blob + index.toString(36).padStart(INDEX_LENGTH, '0')

/** What a key begins with. */
export const blobOf = (key: string): string => key.slice(0, BLOB_LENGTH)
