/** Where the files of a secret go: settled before it is opened, as far as can be known by then. */
import type { AttachedFile } from '#shared/client/attached-files'
import { CliError } from '../lib/cli-error.js'
import { counted } from '../output/sanitize.js'

export interface PlaceFlags {
  output?: string
  outDir?: string
  textOnly?: true
  files?: true
  json?: true
}

/** `nowhere`: they are not wanted. `output`: the only one goes where the text would have gone. */
export type Place = 'nowhere' | 'output' | { folder: string }

const HERE = { folder: '.' }

/**
 * `count`: how many files the secret has. Throws CliError `usage` when there is nowhere to put them.
 * `output` means: if there turns out to be no text.
 */
export function placeOf(count: number, flags: PlaceFlags, isTerminal: boolean): Place {
  const { output, outDir, textOnly, files, json } = flags
  const refuse = (message: string, hint: string): never => {
    throw new CliError('usage', message, hint)
  }
  if (textOnly && (files || outDir !== undefined)) refuse('--text-only takes no files', 'leave it out, or the others')
  if (files && count === 0) refuse('this secret has no files', 'the secret was not used up')
  if (textOnly || count === 0) return 'nowhere'
  if (outDir !== undefined) return { folder: outDir }
  const isToTerminal = isTerminal && (output === undefined || output === '-')
  if (count === 1 && !isToTerminal && !json) return 'output'
  if (isTerminal) return HERE
  const hint = 'use --out-dir DIR, or --text-only; the secret was not used up'
  return refuse(
    `there ${count === 1 ? 'is' : 'are'} ${counted(count, 'file')}, and nowhere to put ${count === 1 ? 'it' : 'them'}`,
    hint,
  )
}

/** The folder that files may be saved in; null: in none. A file that is alone is not, unless it comes with a text: nobody knows before. */
export function folderFor(place: Place, { files }: PlaceFlags): string | null {
  if (typeof place === 'object') return place.folder
  return place === 'output' && !files ? HERE.folder : null
}

/** The same once it is open. What has no other place is saved here: it cannot be fetched again. */
export function finalPlace(place: Place, text: Uint8Array, found: AttachedFile[], flags: PlaceFlags): Place {
  if (flags.textOnly || found.length === 0) return 'nowhere'
  if (typeof place === 'object') return place
  const isAlone = found.length === 1 && (text.length === 0 || flags.files)
  return place === 'output' && isAlone ? 'output' : HERE
}
