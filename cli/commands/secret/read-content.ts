/** What a new secret holds: its text from --text, from stdin or typed, and its files. */
import { isUtf8 } from 'node:buffer'
import type { PublicSettings } from '#shared/api'
import {
  checkUploadsAllowed,
  createFileFromBytes,
  createFileFromStream,
  type FileFlags,
  openOutgoingFiles,
  STDIN_NAME,
} from '../../files/attachments.js'
import type { OutgoingFile } from '../../files/outgoing-file.js'
import { CliError } from '../../lib/cli-error.js'
import type { StreamHead } from '../../lib/read-head.js'
import type { Io } from '../../output/io.js'
import { editText } from './edit-text.js'

interface InputFlags extends FileFlags {
  text?: string
  edit?: true
  chomp: boolean
  public?: true
}

/** Who uses it closes the files. */
export interface SecretContent {
  text: Buffer
  files: OutgoingFile[]
}

const NOTHING_SENT = 'nothing was sent'
const STDIN_TEXT_NAME = 'stdin.txt'

/** Reads the text, byte for byte, and opens the files. Throws CliError: `usage`, `denied`, or `limit` for what is too much. */
export async function readContent(flags: InputFlags, settings: PublicSettings, io: Io): Promise<SecretContent> {
  const files = await openOutgoingFiles(flags, settings.limits.maxFileBytes, io)
  const content = await readText(flags, files, settings, io)
  if (content.text.length === 0 && content.files.length === 0) {
    throw new CliError('usage', 'the secret is empty', NOTHING_SENT)
  }
  return content
}

/** With files the text is left out, unless --text says what it is or, with `-`, that it is on stdin. */
async function readText(
  flags: InputFlags,
  files: OutgoingFile[],
  settings: PublicSettings,
  io: Io,
): Promise<SecretContent> {
  const { text = files.length > 0 ? '' : '-', chomp, edit } = flags
  const { maxTextBytes } = settings.limits
  if (edit) {
    const bytes = chomp ? stripLineEnd(await editText(io)) : await editText(io)
    if (bytes.length > maxTextBytes) throw createTooLargeError(maxTextBytes)
    return { text: bytes, files }
  }
  if (text !== '-') {
    if (text !== '') io.warn('--text can be seen in ps and in the history of the shell: stdin cannot')
    const bytes = Buffer.from(text)
    if (bytes.length > maxTextBytes) throw createTooLargeError(maxTextBytes)
    return { text: bytes, files }
  }
  const head = await readStdinText(maxTextBytes, io)
  const bytes = chomp ? stripLineEnd(head.bytes) : head.bytes
  const fits = head.rest === null && bytes.length <= maxTextBytes
  if (fits && isUtf8(bytes)) return { text: bytes, files }
  // A public secret has no files, and where none are taken the bytes travel as a text does.
  if (settings.uploads && !flags.public)
    return { text: Buffer.alloc(0), files: [...files, await createFileFromStdin(head, files, settings, io)] }
  if (!fits) throw createTooLargeError(maxTextBytes)
  return { text: bytes, files }
}

async function createFileFromStdin(
  { bytes, rest }: StreamHead,
  files: OutgoingFile[],
  settings: PublicSettings,
  io: Io,
): Promise<OutgoingFile> {
  checkUploadsAllowed(files.length + 1, settings)
  const isText = isUtf8Prefix(bytes)
  const name = isText ? STDIN_TEXT_NAME : STDIN_NAME
  io.note(`stdin is ${isText ? 'too large for a text' : 'no text'}: it is sent as the file ${name}`)
  return rest
    ? createFileFromStream(name, joinStream(bytes, rest), settings.limits.maxFileBytes, io)
    : createFileFromBytes(name, bytes)
}

function readStdinText(maxBytes: number, io: Io): Promise<StreamHead> {
  if (io.isTty.stdin && !io.canPrompt) {
    throw new CliError('usage', 'there is no text on stdin', 'mayfly secret create < FILE')
  }
  // Two more for the line end that is dropped.
  return io.readStdinHead('the secret', maxBytes + 2)
}

async function* joinStream(head: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield head
  yield* rest
}

/** It may be cut within a character. */
function isUtf8Prefix(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** What `echo` and editors add to one line is no part of a password; lines of a text and binary data stay as they are. */
function stripLineEnd(bytes: Buffer): Buffer {
  const isOneLine = bytes.length > 0 && bytes.indexOf('\n') === bytes.length - 1
  if (!isOneLine || !isUtf8(bytes) || bytes.includes(0)) return bytes
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1)
}

const createTooLargeError = (maxBytes: number) =>
  new CliError('limit', `the text is larger than the server takes: ${maxBytes} bytes`, NOTHING_SENT)
