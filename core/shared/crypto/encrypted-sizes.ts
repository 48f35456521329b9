/**
 * Sizes of texts and files before and after encryption. Imports no cryptography, because the server only compares
 * sizes.
 */

/** Plaintext bytes of every part but the last. */
export const PART_SIZE = 8 * 2 ** 20
/** age file format v1: header with one scrypt stanza of work factor 1, then the nonce of the payload. */
const HEADER_LENGTH = 149
const NONCE_LENGTH = 16
const CHUNK_SIZE = 64 * 1024
const TAG_LENGTH = 16

/** Number of parts of a file of `size` plaintext bytes. An empty file has one empty part. */
export const partCount = (size: number): number => Math.max(1, Math.ceil(size / PART_SIZE))

/** Plaintext bytes of part `index`. */
export const partLength = (size: number, index: number): number =>
  Math.min(PART_SIZE, Math.max(0, size - index * PART_SIZE))

/** Encrypted size of a part of `length` plaintext bytes. */
export const encryptedPartLength = (length: number): number =>
  HEADER_LENGTH + NONCE_LENGTH + length + TAG_LENGTH * Math.max(1, Math.ceil(length / CHUNK_SIZE))

/** Encrypted size of all parts of a file of `size` plaintext bytes. */
export const encryptedFileLength = (size: number): number =>
  (partCount(size) - 1) * encryptedPartLength(PART_SIZE) + encryptedPartLength(partLength(size, partCount(size) - 1))

/**
 * Maximum encrypted length of a text of `maxTextBytes`: armor and line ends (4/3 · 65/64), padding (at most 12 %),
 * header with FILES_MAX files.
 */
export const encryptedTextLengthMax = (maxTextBytes: number) => Math.ceil(maxTextBytes * 1.6) + 96 * 1024

/** Maximum encrypted length of a submission: the header of a hybrid age file is 2 kB longer. */
export const submissionLengthMax = (maxTextBytes: number) => encryptedTextLengthMax(maxTextBytes) + 4 * 1024
