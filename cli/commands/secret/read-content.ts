/** Reads the content of a new secret: text from --text, --edit, stdin or a prompt, and files. */
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
import type { OpenFile } from '../../files/open-file.js'
import { CliError } from '../../lib/cli-error.js'
import { joinStream, type StreamHead } from '../../lib/read-head.js'
import type { Io } from '../../output/io.js'
import { stripLineEnd } from '../../secrets/strip-line-end.js'

interface InputFlags extends FileFlags {
  text?: string
  edit?: true
  chomp?: boolean
  public?: true
}

/** The caller closes the files. */
export interface SecretContent {
  text: Buffer
  files: OpenFile[]
}

const NOTHING_SENT = 'nothing was sent'
const STDIN_TEXT_NAME = 'stdin.txt'

/** Reads the text and opens the files. Throws CliError: `usage`, `denied`, or `limit` when something is too large. */
export async function readContent(flags: InputFlags, settings: PublicSettings, io: Io): Promise<SecretContent> {
  const files = await openOutgoingFiles(flags, settings.limits.maxFileBytes, io)
  try {
    const content = await readText(flags, files, settings, io)
    // `echo "$UNSET"` prints a line end alone.
    if (stripLineEnd(content.text).length === 0 && content.files.length === 0) {
      throw new CliError('usage', 'the secret is empty', NOTHING_SENT)
    }
    return content
  } catch (error) {
    for (const file of files) await file.close()
    throw error
  }
}

/** With files there is no text, unless --text gives it or says with `-` that it comes from stdin. */
async function readText(
  flags: InputFlags,
  files: OpenFile[],
  settings: PublicSettings,
  io: Io,
): Promise<SecretContent> {
  const { text = files.length > 0 ? '' : '-', edit } = flags
  // A pipe is sent byte for byte. People end a line with Enter, and editors do too.
  const chomp = flags.chomp ?? (edit === true || io.isTty.stdin)
  const { maxTextBytes } = settings.limits
  if (edit) {
    const { editText } = await import('./edit-text.js')
    const edited = await editText(io)
    const bytes = chomp ? stripLineEnd(edited) : edited
    if (bytes.length > maxTextBytes) throw createTooLargeError(maxTextBytes)
    return { text: bytes, files }
  }
  if (text !== '-') {
    if (text !== '') io.warn('--text is visible in ps and in the shell history; use stdin instead')
    const bytes = Buffer.from(text)
    if (bytes.length > maxTextBytes) throw createTooLargeError(maxTextBytes)
    return { text: bytes, files }
  }
  const head = await readStdinText(maxTextBytes, io)
  const bytes = chomp ? stripLineEnd(head.bytes) : head.bytes
  const fits = head.rest === null && bytes.length <= maxTextBytes
  if (fits && isUtf8(bytes)) return { text: bytes, files }
  // A public secret has no files. A server without uploads gets the bytes as a text.
  if (settings.uploads && !flags.public)
    return { text: Buffer.alloc(0), files: [...files, await createFileFromStdin(head, files, settings, io)] }
  if (!fits) throw createTooLargeError(maxTextBytes)
  return { text: bytes, files }
}

async function createFileFromStdin(
  { bytes, rest }: StreamHead,
  files: OpenFile[],
  settings: PublicSettings,
  io: Io,
): Promise<OpenFile> {
  checkUploadsAllowed(files.length + 1, settings)
  const isText = isUtf8Prefix(bytes)
  const name = isText ? STDIN_TEXT_NAME : STDIN_NAME
  io.note(`stdin is ${isText ? 'too large for a text' : 'not valid UTF-8'}; sending it as file ${name}`)
  return rest
    ? createFileFromStream(name, joinStream(bytes, rest), settings.limits.maxFileBytes, io)
    : createFileFromBytes(name, bytes)
}

function readStdinText(maxBytes: number, io: Io): Promise<StreamHead> {
  if (io.isTty.stdin && !io.canPrompt) {
    throw new CliError('usage', 'no text on stdin', 'use: mayfly secret create < FILE')
  }
  // Two more bytes for the line end, which may be removed.
  return io.readStdinHead('the secret', maxBytes + 2)
}

/** True when the bytes are valid UTF-8, apart from a cut last character. */
function isUtf8Prefix(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

const createTooLargeError = (maxBytes: number) =>
  new CliError('limit', `the text is too large: this server accepts ${maxBytes} bytes`, NOTHING_SENT)
