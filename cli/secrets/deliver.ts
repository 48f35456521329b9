/** How an opened secret reaches its reader: exact bytes to files and pipes, and nothing to a terminal that could steer it. */
import { isUtf8 } from 'node:buffer'
import type { ViewedSecret } from '#shared/api'
import type { Mismatch } from '#shared/sealing'
import type { GlobalFlags } from '../command.js'
import { CliError } from '../errors.js'
import type { Io } from '../io.js'
import { counted, escaped, isPrintable } from '../text.js'
import { isoTime } from './expiry.js'
import { type Output, openOutput } from './output.js'

export interface Opened {
  id: string
  kind: ViewedSecret['kind']
  text: Uint8Array
  title: string
  /** null: not limited. */
  viewsLeft: number | null
  /** Epoch ms. */
  expiresAt: number
  mismatches: Mismatch[]
}

/** Resolves when everything was written. */
export async function deliver(
  opened: Opened,
  { json, output: path }: GlobalFlags & { output?: string },
  output: Output,
  io: Io,
): Promise<void> {
  const isTerminal = io.isTty.stdout && (path === undefined || path === '-')
  if (json) await output.write(document(opened))
  else if (isTerminal) await show(opened, io)
  else await output.write(opened.text)
  const left = opened.viewsLeft === null ? 'until it expires' : counted(opened.viewsLeft, 'more time')
  io.note(opened.viewsLeft === 0 ? 'opened; it is gone now' : `opened; it can be opened ${left}`)
}

async function show({ text, title }: Opened, io: Io): Promise<void> {
  if (title) io.note(`title: ${title}`)
  if (!isUtf8(text) && io.canAsk) return (await askForFile(text, io)).write(text)
  const isSafe = isPrintable(text)
  const shown = isSafe ? Buffer.from(text).toString() : escaped(text)
  await io.write(shown.endsWith('\n') ? shown : `${shown}\n`)
  if (!isSafe)
    io.warn(
      'control characters and bytes that are no text are shown as \\xNN; --output or a pipe gets them as they are',
    )
}

/** Bytes that are no text are of little use on a terminal. */
async function askForFile({ length }: Uint8Array, io: Io): Promise<Output> {
  for (;;) {
    const name = await io.ask(`This is no text but ${length} bytes of data. Save it as:`, 'secret.bin')
    try {
      return await openOutput(name, undefined, io)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      io.warn(error.message)
    }
  }
}

function document({ id, kind, text, title, viewsLeft, expiresAt, mismatches }: Opened): string {
  const bytes = Buffer.from(text)
  const content = isUtf8(text) ? { text: bytes.toString() } : { text: null, text_base64: bytes.toString('base64') }
  const facts = {
    id,
    kind,
    title: title || null,
    ...content,
    views_left: viewsLeft,
    expires_at: isoTime(expiresAt),
    mismatches,
  }
  return `${JSON.stringify(facts)}\n`
}
