/** Commands that a plugin adds to the command line. They run without a database and without `setup`. */

/**
 * A flag in the notation of commander (`--count <number>`), its description, default value and allowed values.
 * `<number>` and `<duration>` are checked.
 */
export type PluginCommandOption = [
  flags: string,
  description: string,
  fallback?: string | undefined,
  choices?: string[],
]

export interface PluginCommand<Options = Record<string, unknown>> {
  /** The words that the user types, such as `tally show`. The first word must not be a command of Mayfly. */
  name: string
  /** One line, lower case. */
  summary: string
  /** Positional argument, as `<required>`, `[optional]` or `[several...]`, and its description. */
  argument?: [name: string, description: string]
  options?: PluginCommandOption[]
  /** Description and command line of each example. */
  examples?: [does: string, command: string][]
  /**
   * An error ends the command with its message and exit code 1. Import large modules here, so that `--help` stays fast.
   */
  run(cli: PluginCli<Options>): void | Promise<void>
}

/** Argument of a command of a plugin. */
export interface PluginCli<Options = Record<string, unknown>> {
  /** Options of the plugin from the config of the instance. */
  options: Options
  /** Flags of the command by name: `--dry-run` is `dryRun`. */
  flags: Record<string, unknown>
  /** Values of the positional argument. */
  args: string[]
  /** `--json` was given: print one JSON document. */
  isJson: boolean
  /** Absolute path of the data folder. May be missing. */
  dataDir: string
  /** Public URL of the instance; empty if it is not configured. */
  publicUrl: string
  /** Writes to stdout. */
  write(text: string): Promise<void>
  /** Writes a line to stderr, unless `--quiet` was given. */
  note(text: string): void
}
