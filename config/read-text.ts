/** Reads text files as editors of all systems save them. */
import { readFileSync } from 'node:fs'

/**
 * Returns the text without a byte order mark: UTF-8, or UTF-16 as Windows PowerShell writes it. Throws like
 * `readFileSync`.
 */
export function readText(path: string): string {
  const bytes = readFileSync(path)
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, '')
}
