/** Limits of the entries of a backup, so that a restore needs a bounded amount of memory for any archive. */
import { MAX_PART } from '../attachments/part-layout.js'
import { BackupError, keyOfEntry, MANIFEST, SUMMARY } from './backup-format.js'

const MIB = 2 ** 20
/** Manifest and summary. */
const JSON_BYTES_MAX = MIB
/** Rows, unless a single text is longer. */
const ROWS_BYTES_MAX = 32 * MIB
export const ROWS_MAX = 2000
/** JSON has up to six bytes for one byte, such as \u0001. Encryption adds less, and other columns are short. */
const textRowBytesMax = (maxTextBytes: number) => 6 * maxTextBytes + MIB / 4

/** Bytes of the entry with this name. `maxTextBytes`: of the instance. */
function entryBytesMax(name: string, maxTextBytes: number): number {
  if (name === MANIFEST || name === SUMMARY) return JSON_BYTES_MAX
  if (keyOfEntry(name) !== null) return MAX_PART
  return Math.max(ROWS_BYTES_MAX, textRowBytesMax(maxTextBytes))
}

/** Throws BackupError `too-large`. */
export function assertEntrySize(entry: { name: string; size: number }, maxTextBytes: number): void {
  const max = entryBytesMax(entry.name, maxTextBytes)
  if (entry.size > max) throw tooLargeError(entry.name, `${entry.size} bytes, more than ${max}`)
}

/** Throws BackupError `too-large`. `rows`: of one entry. */
export function assertRowCount(name: string, rows: number): void {
  if (rows > ROWS_MAX) throw tooLargeError(name, `more than ${ROWS_MAX} rows`)
}

/** Names can have any length. */
export const shortName = (name: string): string => `"${name.slice(0, 80)}"`

const tooLargeError = (name: string, what: string) =>
  new BackupError('too-large', `the entry ${shortName(name)} of the backup has ${what}`)

/** Joins lines to the contents of entries within the limits. Every line is within them. */
export function* joinLines(lines: Iterable<string>): Generator<string> {
  let [text, rows, bytes] = ['', 0, 0]
  for (const line of lines) {
    const length = Buffer.byteLength(line)
    if (rows > 0 && (rows === ROWS_MAX || bytes + length > ROWS_BYTES_MAX)) {
      yield text
      ;[text, rows, bytes] = ['', 0, 0]
    }
    text += line
    rows += 1
    bytes += length
  }
  if (rows > 0) yield text
}
