import { isUtf8 } from 'node:buffer'

/**
 * Removes the line end of a single line, which `echo` and editors add. Leaves longer texts and binary data unchanged.
 */
export function stripLineEnd(bytes: Buffer): Buffer {
  const isOneLine = bytes.length > 0 && bytes.indexOf(0x0a) === bytes.length - 1
  if (!isOneLine || !isUtf8(bytes) || bytes.includes(0)) return bytes
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1)
}
