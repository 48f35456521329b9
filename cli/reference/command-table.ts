/** The command line as data, the source of completions, man pages and docs/cli.md. */
import { type Catalog, type Command, GLOBAL_OPTIONS, type Option } from '../commands/command.js'

/** Kind of value. `none`: the flag takes no value. `text`: free text. */
export type CompletionKind = 'none' | 'text' | 'file' | 'folder' | 'words'

export interface Flag {
  /** `-f` and `--file`; most flags have no short name. */
  names: string[]
  /** `-f, --file <path...>`. */
  flags: string
  description: string
  fallback: string | undefined
  completes: CompletionKind
  /** Allowed values, for `words`. */
  words: string[]
}

/** A command, a group such as `secret`, or the program. */
export interface Entry {
  /** `secret create`; empty for the program itself. */
  path: string
  summary: string
  /** Words that may follow, with descriptions. */
  next: [word: string, summary: string][]
  /** Kind of the argument, if it is not one of these words. */
  argument: CompletionKind
  /** Null for a group. */
  command: Command | null
  flags: Flag[]
}

/** Flags of every command, with `--help`. */
export const GLOBAL_FLAGS: Flag[] = [...GLOBAL_OPTIONS, ['-h, --help', 'print this help'] satisfies Option].map(
  parseFlag,
)

/** Returns the program, then every group and command in the order of `--help`. */
export function listEntries(catalog: Catalog): Entry[] {
  const paths = ['', ...catalog.commands.flatMap(({ name }) => [...listGroups(name), name])]
  return [...new Set(paths)].map((path) => createEntry(path, catalog))
}

function createEntry(path: string, { commands, groups }: Catalog): Entry {
  const commandAt = (place: string) => commands.find(({ name }) => name === place) ?? null
  const summaryOf = (place: string) => commandAt(place)?.summary ?? groups[place] ?? ''
  const command = commandAt(path)
  const words = command ? (command.argument?.[2] ?? []) : listWordsBelow(path, commands)
  return {
    path,
    summary: summaryOf(path),
    next: words.map((word) => [word, summaryOf(path === '' ? word : `${path} ${word}`)]),
    argument: getCompletionKind(command?.argument?.[0] ?? '', words),
    command,
    flags: (command?.options ?? []).map(parseFlag),
  }
}

/** `secret` for `secret create`. */
const listGroups = (name: string) => name.split(' ').flatMap((_, index, words) => words.slice(0, index).join(' ') || [])

function listWordsBelow(path: string, commands: Command[]): string[] {
  const depth = path === '' ? 0 : path.split(' ').length
  const below = commands
    .map(({ name }) => name.split(' '))
    .filter((words) => path === '' || words.slice(0, depth).join(' ') === path)
  return [...new Set(below.flatMap((words) => words[depth] ?? []))]
}

function parseFlag([flags, description, fallback, words = []]: Option): Flag {
  const names = flags.match(/(?<![\w<])--?[\w-]+/g) ?? []
  return { names, flags, description, fallback, completes: getCompletionKind(flags, words), words }
}

function getCompletionKind(flags: string, words: string[]): CompletionKind {
  const [, placeholder] = /[<[]([^\]>]+)[\]>]/.exec(flags) ?? []
  if (placeholder === undefined) return 'none'
  if (words.length > 0) return 'words'
  if (/^(file|path|store)\b/.test(placeholder)) return 'file'
  return /^(folder|dir)\b/.test(placeholder) ? 'folder' : 'text'
}
