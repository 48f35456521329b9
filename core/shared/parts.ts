/** A file in parts: how it is cut, and how large each part becomes when it is sealed. */

/** Plaintext bytes of every part but the last. */
export const PART_SIZE = 8 * 2 ** 20
/** age file format v1: header with one scrypt stanza of work factor 1, then the payload's nonce. */
const HEADER_LENGTH = 149
const NONCE_LENGTH = 16
const CHUNK_SIZE = 64 * 1024
const TAG_LENGTH = 16

/** How many parts a file of `size` plaintext bytes has. An empty file has one, empty. */
export const partCount = (size: number): number => Math.max(1, Math.ceil(size / PART_SIZE))

/** Plaintext bytes of part `index`. */
export const partLength = (size: number, index: number): number =>
  Math.min(PART_SIZE, Math.max(0, size - index * PART_SIZE))

/** Bytes of a sealed part of `length` plaintext bytes. */
export const sealedPartLength = (length: number): number =>
  HEADER_LENGTH + NONCE_LENGTH + length + TAG_LENGTH * Math.max(1, Math.ceil(length / CHUNK_SIZE))

/** Bytes of all sealed parts of a file of `size` plaintext bytes. */
export const sealedFileLength = (size: number): number =>
  (partCount(size) - 1) * sealedPartLength(PART_SIZE) + sealedPartLength(partLength(size, partCount(size) - 1))
