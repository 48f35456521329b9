/** Types of a command definition. Help, completions, man pages and docs/cli.md are generated from the definitions. */

import type { Io } from '../output/io.js'
import type { ProgressMode } from '../output/progress.js'

/**
 * A flag in commander's notation, its description, default value and allowed values. The
 * placeholder decides what completions offer: files for `<file>` and `<path>`, folders for `<folder>`.
 */
export type Option = [flags: string, description: string, fallback?: string | undefined, choices?: string[]]

export interface Command<Flags = object> {
  /** The words that the user types, such as `secret create`. */
  name: string
  /** One line, lower case. */
  summary: string
  /**
   * Positional argument in commander's notation (`<required>`, `[optional]` or `[several...]`), its description, and
   * words that completions offer.
   */
  argument?: [name: string, description: string, words?: string[]]
  options?: Option[]
  /** Description and command line of each example. */
  examples: [does: string, command: string][]
  /** Imports the implementation when it runs, so that `--help` stays fast. Throws CliError. */
  run(cli: CommandContext<Flags>): Promise<void>
}

/** All commands, for `help`, `man` and `completion`. */
export interface Catalog {
  /** In the order of `--help`. */
  commands: Command[]
  /** Description of each group, such as `secret`. */
  groups: Record<string, string>
  /** Prints the help of a command or a group; without words the help of the program. */
  showHelp(words: string[], io: Io): Promise<void>
}

/** Flags of every command. */
export interface GlobalFlags {
  config?: string
  profile?: string
  json?: true
  quiet?: true
  verbose?: true
  color?: string
  input: boolean
  yes?: true
  timeout: string
  retry?: string
  progress: ProgressMode
  allowHttp?: true
  httpHeader?: string[]
  cert?: string
  key?: string
  ca?: string
}

/** Input of a command. */
export interface CommandContext<Flags = object> {
  flags: Flags & GlobalFlags
  /** Values of the positional argument. */
  args: string[]
  io: Io
  catalog: Catalog
}

export const GLOBAL_OPTIONS: Option[] = [
  ['--config <file>', 'config file of the instance, or of the command line for commands that use a server'],
  ['--profile <name>', 'profile of the command line, see `mayfly config set`; same as MAYFLY_PROFILE'],
  ['--json', 'print one JSON document; errors too'],
  ['-q, --quiet', 'print only errors to stderr'],
  ['-v, --verbose', 'print each request to stderr, without ids and keys'],
  ['--color <when>', 'when to use color: auto, always or never', undefined, ['auto', 'always', 'never']],
  ['--progress <how>', 'progress output: auto, plain (a line per 10 %) or json', 'auto', ['auto', 'plain', 'json']],
  ['--no-input', 'never prompt'],
  ['-y, --yes', 'answer yes to every confirmation'],
  ['--timeout <duration>', 'request timeout', '30s'],
  ['--retry <duration>', 'try again for up to this long when the server is down or limits the number of requests'],
  ['--allow-http', 'allow plain http to another machine'],
  ['-H, --http-header <name:value>', 'header of every request; @FILE reads one per line; can be repeated'],
  ['--cert <file>', 'client certificate, in PEM'],
  ['--key <file>', 'private key of the client certificate, in PEM'],
  ['--ca <file>', 'trusted certificates of the server instead of the usual ones, in PEM'],
]

/** Returns its argument. It types `run` by the flags. */
export function command<Flags = object>(definition: Command<Flags>): Command<Flags> {
  return definition
}
