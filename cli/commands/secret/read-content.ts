/** What a new secret holds: its text from --text, from stdin or typed, and its files. */
import { isUtf8 } from 'node:buffer'
import type { PublicSettings } from '#shared/api'
import {
  checkMayAttach,
  type FileFlags,
  fromBytes,
  fromStream,
  outgoingFiles,
  STDIN_NAME,
} from '../../files/attachments.js'
import type { OutgoingFile } from '../../files/outgoing-file.js'
import { CliError } from '../../lib/cli-error.js'
import type { Head } from '../../lib/read-head.js'
import type { Io } from '../../output/io.js'
import { edited } from './editor.js'

interface InputFlags extends FileFlags {
  text?: string
  edit?: true
  chomp: boolean
  public?: true
}

/** Who uses it closes the files. */
export interface Content {
  text: Buffer
  files: OutgoingFile[]
}

const NOTHING_SENT = 'nothing was sent'
const STDIN_TEXT_NAME = 'stdin.txt'

/** Reads the text, byte for byte, and opens the files. Throws CliError: `usage`, `denied`, or `limit` for what is too much. */
export async function contentFrom(flags: InputFlags, settings: PublicSettings, io: Io): Promise<Content> {
  const files = await outgoingFiles(flags, settings.limits.maxFileBytes, io)
  const content = await textFrom(flags, files, settings, io)
  if (content.text.length === 0 && content.files.length === 0) {
    throw new CliError('usage', 'the secret is empty', NOTHING_SENT)
  }
  return content
}

/** With files the text is left out, unless --text says what it is or, with `-`, that it is on stdin. */
async function textFrom(flags: InputFlags, files: OutgoingFile[], settings: PublicSettings, io: Io): Promise<Content> {
  const { text = files.length > 0 ? '' : '-', chomp, edit } = flags
  const { maxTextBytes } = settings.limits
  if (edit) {
    const bytes = chomp ? withoutLineEnd(await edited(io)) : await edited(io)
    if (bytes.length > maxTextBytes) throw tooLarge(maxTextBytes)
    return { text: bytes, files }
  }
  if (text !== '-') {
    if (text !== '') io.warn('--text can be seen in ps and in the history of the shell: stdin cannot')
    const bytes = Buffer.from(text)
    if (bytes.length > maxTextBytes) throw tooLarge(maxTextBytes)
    return { text: bytes, files }
  }
  const head = await fromStdin(maxTextBytes, io)
  const bytes = chomp ? withoutLineEnd(head.bytes) : head.bytes
  const fits = head.rest === null && bytes.length <= maxTextBytes
  if (fits && isUtf8(bytes)) return { text: bytes, files }
  // A public secret has no files, and where none are taken the bytes travel as a text does.
  if (settings.uploads && !flags.public)
    return { text: Buffer.alloc(0), files: [...files, await asFile(head, files, settings, io)] }
  if (!fits) throw tooLarge(maxTextBytes)
  return { text: bytes, files }
}

async function asFile(
  { bytes, rest }: Head,
  files: OutgoingFile[],
  settings: PublicSettings,
  io: Io,
): Promise<OutgoingFile> {
  checkMayAttach(files.length + 1, settings)
  const isText = isBeginningOfText(bytes)
  const name = isText ? STDIN_TEXT_NAME : STDIN_NAME
  io.note(`stdin is ${isText ? 'too large for a text' : 'no text'}: it is sent as the file ${name}`)
  return rest ? fromStream(name, joined(bytes, rest), settings.limits.maxFileBytes, io) : fromBytes(name, bytes)
}

function fromStdin(maxBytes: number, io: Io): Promise<Head> {
  if (io.isTty.stdin && !io.canAsk) {
    throw new CliError('usage', 'there is no text on stdin', 'mayfly secret create < FILE')
  }
  // Two more for the line end that is dropped.
  return io.readHead('the secret', maxBytes + 2)
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield head
  yield* rest
}

/** It may be cut within a character. */
function isBeginningOfText(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** What `echo` and editors add to one line is no part of a password; lines of a text and binary data stay as they are. */
function withoutLineEnd(bytes: Buffer): Buffer {
  const isOneLine = bytes.length > 0 && bytes.indexOf('\n') === bytes.length - 1
  if (!isOneLine || !isUtf8(bytes) || bytes.includes(0)) return bytes
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1)
}

const tooLarge = (maxBytes: number) =>
  new CliError('limit', `the text is larger than the server takes: ${maxBytes} bytes`, NOTHING_SENT)
