/** What a command is: a name, what people may type, and what it does. Everything that is printed about it comes from here. */

import type { Io } from '../output/io.js'
import type { ProgressMode } from '../output/progress.js'

/**
 * A flag in commander's notation, its description, what it is when it is not given, and the only values it takes. The
 * placeholder says what completions offer: files for `<file>` and `<path>`, folders for `<folder>`.
 */
export type Option = [flags: string, description: string, fallback?: string | undefined, choices?: string[]]

export interface Command<Flags = object> {
  /** The words people type, such as `secret create`. */
  name: string
  /** One line, lower case. */
  summary: string
  /**
   * Positional argument in commander's notation, `<required>`, `[optional]` or `[several...]`, what it is, and words that
   * completions offer for it.
   */
  argument?: [name: string, description: string, words?: string[]]
  options?: Option[]
  /** What each example does, and the command itself. */
  examples: [does: string, command: string][]
  /** Loads what it needs itself, so that `--help` stays quick. Throws CliError. */
  run(cli: CommandContext<Flags>): Promise<void>
}

/** All commands, for those that tell of the others. */
export interface Catalog {
  /** In the order in which help lists them. */
  commands: Command<never>[]
  /** What the words before the last one stand for. */
  groups: Record<string, string>
  /** Prints the help of a command, of a group, or of the program without words. */
  showHelp(words: string[], io: Io): Promise<void>
}

/** Flags that every command takes. */
export interface GlobalFlags {
  config?: string
  json?: true
  quiet?: true
  verbose?: true
  color?: string
  input: boolean
  yes?: true
  timeout: string
  progress: ProgressMode
  allowHttp?: true
}

/** What a command works with. */
export interface CommandContext<Flags = object> {
  flags: Flags & GlobalFlags
  /** What was given for the positional argument. */
  args: string[]
  io: Io
  catalog: Catalog
}

export const GLOBAL_OPTIONS: Option[] = [
  ['--config <file>', 'config file to use instead of the usual one'],
  ['--json', 'print one JSON document, errors too'],
  ['-q, --quiet', 'only errors on stderr'],
  ['-v, --verbose', 'show each request on stderr, without ids and keys'],
  ['--color <when>', 'auto, always or never', undefined, ['auto', 'always', 'never']],
  ['--progress <how>', 'auto, plain (a line for each tenth) or json', 'auto', ['auto', 'plain', 'json']],
  ['--no-input', 'never ask anything'],
  ['-y, --yes', 'answer every question with yes'],
  ['--timeout <duration>', 'give up a request after this long', '30s'],
  ['--allow-http', 'allow a server without https that is not on this machine'],
]

/** Returns its argument; it exists so that `run` is typed from the flags. */
export function command<Flags = object>(definition: Command<Flags>): Command<Flags> {
  return definition
}
