/** How an encrypted file is split into parts. */
import type { Attachment } from '../contracts/attachments.js'
import { encryptedPartLength, PART_SIZE } from '../shared/crypto/encrypted-sizes.js'

/** Bytes of each encrypted part except the last. */
export const MAX_PART = encryptedPartLength(PART_SIZE)

/** Number of parts of a file with this encrypted size. */
export const countParts = (size: number): number => Math.ceil(size / MAX_PART)

/** Bytes of an encrypted part; null when the file has no part with this index. */
export function storedPartLength({ size, parts }: Pick<Attachment, 'size' | 'parts'>, index: number): number | null {
  if (index >= parts) return null
  return index < parts - 1 ? MAX_PART : size - (parts - 1) * MAX_PART
}
