/** The text of a new secret: from --text, from stdin, or typed. */
import { isUtf8 } from 'node:buffer'
import { CliError } from '../errors.js'
import type { Io } from '../io.js'

interface InputFlags {
  text?: string
  chomp: boolean
}

/** Reads the text, byte for byte. Throws CliError: `usage` when there is none, `limit` when it is larger than `maxBytes`. */
export async function textFrom({ text, chomp }: InputFlags, maxBytes: number, io: Io): Promise<Buffer> {
  if (text !== undefined) io.warn('--text can be seen in ps and in the history of the shell: stdin cannot')
  const bytes = text === undefined ? await fromStdin(maxBytes, io) : Buffer.from(text)
  const whole = bytes && chomp && text === undefined ? withoutLineEnd(bytes) : bytes
  if (!whole || whole.length > maxBytes) {
    throw new CliError('limit', `the text is larger than the server takes: ${maxBytes} bytes`, 'nothing was sent')
  }
  if (whole.length === 0) throw new CliError('usage', 'the secret is empty', 'nothing was sent')
  return whole
}

function fromStdin(maxBytes: number, io: Io): Promise<Buffer | null> {
  if (io.isTty.stdin) {
    if (!io.canAsk) throw new CliError('usage', 'there is no text on stdin', 'mayfly secret create < FILE')
    io.tell('Type or paste the secret, end with Ctrl-D:\n')
  }
  // Two more for the line end that is dropped.
  return io.read('the text', maxBytes + 2)
}

/** What `echo` and editors add to one line is no part of a password; lines of a text and binary data stay as they are. */
function withoutLineEnd(bytes: Buffer): Buffer {
  const isOneLine = bytes.length > 0 && bytes.indexOf('\n') === bytes.length - 1
  if (!isOneLine || !isUtf8(bytes) || bytes.includes(0)) return bytes
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1)
}
