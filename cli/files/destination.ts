/** Decides where the files of a secret are written: before it is opened, as far as known. */
import type { AttachedFile } from '#shared/client/viewed-content'
import { CliError } from '../lib/cli-error.js'
import { formatCount } from '../output/sanitize.js'

export interface DestinationFlags {
  output?: string
  outDir?: string
  textOnly?: true
  files?: true
  json?: true
}

/** `none`: discard the files. `output`: write the only file instead of the text. */
export type Destination = 'none' | 'output' | { folder: string }

const WORKING_FOLDER = { folder: '.' }

/**
 * `count`: number of files of the secret. `output` applies only if the secret has no text, which is unknown before it
 * is opened. Throws CliError `usage` without a destination.
 */
export function chooseDestination(count: number, flags: DestinationFlags, isTerminal: boolean): Destination {
  const { output, outDir, textOnly, files, json } = flags
  const refuse = (message: string, hint: string): never => {
    throw new CliError('usage', message, hint)
  }
  if (textOnly && (files || outDir !== undefined))
    refuse('--text-only excludes --files and --out-dir', 'use one of them')
  if (files && count === 0) refuse('this secret has no files', 'the secret was not used up')
  if (textOnly || count === 0) return 'none'
  if (outDir !== undefined) return { folder: outDir }
  // `--output -` means stdout, also on a terminal.
  const isToTerminal = isTerminal && output === undefined
  if (count === 1 && !isToTerminal && !json) return 'output'
  if (isTerminal) return WORKING_FOLDER
  const hint = 'use --out-dir DIR, or --text-only; the secret was not used up'
  return refuse(
    `there ${count === 1 ? 'is' : 'are'} ${formatCount(count, 'file')}, and nowhere to put ${count === 1 ? 'it' : 'them'}`,
    hint,
  )
}

/**
 * Returns the folder that files may be saved in; null for none. A single file needs it too: the secret may have a text.
 */
export function getSaveFolder(destination: Destination, { files }: DestinationFlags): string | null {
  if (typeof destination === 'object') return destination.folder
  return destination === 'output' && !files ? WORKING_FOLDER.folder : null
}

/**
 * Returns the destination once the secret is open. Falls back to the working folder: the files cannot be fetched again.
 */
export function resolveDestination(
  destination: Destination,
  text: Uint8Array,
  found: AttachedFile[],
  flags: DestinationFlags,
): Destination {
  if (flags.textOnly || found.length === 0) return 'none'
  if (typeof destination === 'object') return destination
  const isAlone = found.length === 1 && (text.length === 0 || flags.files)
  return destination === 'output' && isAlone ? 'output' : WORKING_FOLDER
}
