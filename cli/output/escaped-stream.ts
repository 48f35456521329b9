/** Shows bytes on a terminal while they arrive. */
import type { Io } from './io.js'
import { escapeBytes, isPrintable } from './sanitize.js'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

export interface EscapedStream {
  write(bytes: Uint8Array): Promise<void>
  /** Ends the last line, and warns when something was escaped. */
  end(): Promise<void>
}

/**
 * Writes to stdout. Pieces with control characters or binary data are escaped: the sender must not control the
 * terminal.
 */
export function createEscapedStream(io: Io): EscapedStream {
  let rest: Uint8Array = new Uint8Array()
  let last: number | undefined = LINE_FEED
  let isEscaped = false
  const show = async (bytes: Uint8Array) => {
    if (bytes.length === 0) return
    last = bytes.at(-1)
    const isSafe = isPrintable(bytes)
    isEscaped ||= !isSafe
    await io.write(isSafe ? bytes : escapeBytes(bytes))
  }
  return {
    async write(bytes) {
      const all = Buffer.concat([rest, bytes])
      const cut = all.length - countIncomplete(all)
      rest = all.subarray(cut)
      await show(all.subarray(0, cut))
    },
    async end() {
      await show(rest)
      if (last !== LINE_FEED) await io.write('\n')
      if (isEscaped) warnEscaped(io)
    },
  }
}

export const warnEscaped = (io: Io): void =>
  io.warn('control characters and binary data are shown as \\xNN; use --output or a pipe for the exact bytes')

/** Number of bytes at the end that may belong to the next piece: part of a UTF-8 character, or a CR before its LF. */
function countIncomplete(bytes: Uint8Array): number {
  if (bytes.at(-1) === CARRIAGE_RETURN) return 1
  for (let back = 1; back <= 3; back++) {
    const byte = bytes.at(-back)
    if (byte === undefined) return 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}
