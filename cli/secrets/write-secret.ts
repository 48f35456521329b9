/** Writes an opened secret: exact bytes to files and pipes, escaped text to a terminal. */
import { isUtf8 } from 'node:buffer'
import type { AttachedFile } from '#shared/client/viewed-content'
import { safeFileName } from '#shared/file-name'
import {
  chooseDestination,
  type Destination,
  type DestinationFlags,
  getSaveFolder,
  resolveDestination,
} from '../files/destination.js'
import { type DownloadContext, downloadFiles, type ReceivedFile, streamFile } from '../files/download-files.js'
import { checkStdoutOpen, type Output, openOutput } from '../files/output-file.js'
import { checkFolderWritable } from '../files/saved-file.js'
import { CliError } from '../lib/cli-error.js'
import { describeError } from '../output/error-output.js'
import { createEscapedStream, warnEscaped } from '../output/escaped-stream.js'
import { formatTime } from '../output/format-expiry.js'
import type { Io } from '../output/io.js'
import { escapeBytes, formatCount, isPrintable, toSafeJson } from '../output/sanitize.js'
import type { OpenedSecret } from './open-secret.js'

const LINE_FEED = 0x0a

/** Where the text and the files are written. */
interface WriteOptions {
  flags: DestinationFlags
  output: Output
  destination: Destination
  download: DownloadContext
}

/**
 * Checks and opens the places for a secret with `count` files, before a view is used. Throws CliError `usage` if one is
 * missing or cannot be written.
 */
export async function prepareWriting(
  count: number,
  flags: DestinationFlags & { yes?: true },
  io: Io,
): Promise<Pick<WriteOptions, 'destination' | 'output'>> {
  const destination = chooseDestination(count, flags, io.isTty.stdout)
  const folder = getSaveFolder(destination, flags)
  if (folder !== null) await checkFolderWritable(folder, io)
  if (flags.output === undefined && !flags.files) await checkStdoutOpen(io)
  return { destination, output: await openOutput(flags.output, flags.yes, io) }
}

/** Resolves when everything is written. Throws CliError when files failed, after writing the rest. */
export async function writeSecret(
  opened: OpenedSecret,
  { flags, output, destination: planned, download }: WriteOptions,
): Promise<void> {
  const { io } = download
  const { text, files } = opened
  const destination = resolveDestination(planned, text, files, flags)
  if (destination === 'output') await writeOnlyFile(files[0] as AttachedFile, flags, output, download)
  else if (!flags.json && hasText(opened, flags)) await writeText(opened, flags, output, io)
  const received = typeof destination === 'object' ? await downloadFiles(files, destination.folder, download) : []
  if (flags.json) await output.write(formatJson(opened, received))
  if (destination === 'output' || flags.json || hasText(opened, flags)) await output.close()
  checkAllReceived(received)
}

/** A secret without files always has a text, which may be empty. */
const hasText = ({ text, files }: OpenedSecret, flags: DestinationFlags) =>
  !flags.files && (text.length > 0 || files.length === 0 || flags.textOnly === true)

async function writeOnlyFile(
  file: AttachedFile,
  flags: DestinationFlags,
  output: Output,
  download: DownloadContext,
): Promise<void> {
  if (!isShown(flags, download.io)) return streamFile(file, (bytes) => output.write(bytes), download)
  const shown = createEscapedStream(download.io)
  await streamFile(file, shown.write, download)
  await shown.end()
}

async function writeText(opened: OpenedSecret, flags: DestinationFlags, output: Output, io: Io): Promise<void> {
  if (isShown(flags, io)) await showText(opened, flags, io)
  else await output.write(opened.text)
}

/** True when the output is a terminal. */
const isShown = ({ output: path }: DestinationFlags, io: Io): boolean =>
  io.isTty.stdout && (path === undefined || path === '-')

/** Throws CliError with the outcome of the first failed file. */
function checkAllReceived(received: ReceivedFile[]): void {
  const failed = received.filter(({ path }) => path === null)
  if (failed.length === 0) return
  const rest = received.length === failed.length ? 'no file was saved' : 'the rest is saved'
  const message = `${failed.length} of ${formatCount(received.length, 'file')} could not be saved`
  throw new CliError(describeError(failed[0]?.error).outcome, message, rest)
}

async function showText({ text, title }: OpenedSecret, { output }: DestinationFlags, io: Io): Promise<void> {
  if (title) io.note(`title: ${title}`)
  if (!isUtf8(text) && io.canPrompt && output !== '-') return promptAndSave(text, io)
  const isSafe = isPrintable(text)
  const printable = Buffer.from(isSafe ? text : escapeBytes(text))
  await io.write(printable)
  if (printable.at(-1) !== LINE_FEED) await io.write('\n')
  if (!isSafe) warnEscaped(io)
}

/** Binary data is of little use on a terminal: asks for a file name. */
async function promptAndSave(bytes: Uint8Array, io: Io): Promise<void> {
  for (;;) {
    const name = await io.promptText(`Binary data (${bytes.length} bytes). Save as:`, 'secret.bin')
    try {
      const output = await openOutput(name, undefined, io)
      await output.write(bytes)
      return await output.close()
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      io.warn(error.message)
    }
  }
}

function formatJson(opened: OpenedSecret, received: ReceivedFile[]): string {
  const { id, kind, text, title, files, viewsLeft, expiresAt, mismatches } = opened
  const bytes = Buffer.from(text)
  const content = isUtf8(text) ? { text: bytes.toString() } : { text: null, text_base64: bytes.toString('base64') }
  const facts = {
    id,
    kind,
    title: title || null,
    ...content,
    files: files.map((file, index) => describeFile(file, received[index])),
    views_left: viewsLeft,
    expires_at: formatTime(expiresAt),
    mismatches,
  }
  return toSafeJson(facts)
}

/** `path` is null for a file that was discarded or failed. */
const describeFile = ({ name, size }: AttachedFile, received: ReceivedFile | undefined) => ({
  name: safeFileName(name),
  size,
  path: received?.path ?? null,
})
