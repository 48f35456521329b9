/**
 * Commands that plugins add. They come from the config that `--config` or MAYFLY_CONFIG names, or from MAYFLY_PLUGINS:
 * a config file that happens to be in the working folder runs no code for `mayfly --help`.
 */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Plugin } from '#core'
import { builtIns } from '#plugins'
import { type Command, type CommandContext, GLOBAL_OPTIONS } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'
import { toMessage } from '../output/sanitize.js'

/** Commands of Mayfly that list all others. */
const LISTING = ['help', 'completion', 'man']
const HELP_FLAGS = ['-h', '--help']
/** Config settings that name plugins. */
const PLUGIN_SETTINGS = ['storage', 'files', 'limits', 'auth', 'plugins']
const NAME = /^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*){0,2}$/

type PluginCommand = NonNullable<Plugin['commands']>[number]

/**
 * Returns the commands that plugins add; none if the arguments need only `own` commands. `own`: names of the built-in
 * commands. Throws CliError `usage` for a plugin that cannot be loaded, and for an invalid or duplicate name.
 */
export async function loadPluginCommands(argv: string[], own: string[], io: Io): Promise<Command[]> {
  const words = new Set(own.map(firstWord))
  if (!needsPlugins(argv, words)) return []
  const path = findFlag(argv, '--config') ?? (io.env.MAYFLY_CONFIG || null)
  const file = path === null ? null : resolvePath(io, path)
  const names = listPlugins(file, io).filter((name) => !Object.hasOwn(builtIns, name))
  if (names.length === 0) return []
  const { loadPlugin } = await import('#core/runtime')
  const commands: Command[] = []
  for (const name of new Set(names)) {
    const plugin = await loadPlugin(name, builtIns, file === null ? io.cwd : dirname(file)).catch((error: Error) => {
      throw new CliError('usage', toMessage(error.message))
    })
    for (const command of plugin.commands ?? []) {
      assertValid(plugin.name, command, words, commands)
      commands.push(toCommand(plugin, command, file))
    }
  }
  return commands
}

/** False for a built-in command, which starts without reading the config. */
function needsPlugins(argv: string[], words: Set<string>): boolean {
  const withValue = new Set(
    GLOBAL_OPTIONS.flatMap(([flags]) => (flags.includes('<') ? (flags.split(' ')[0] ?? []) : [])),
  )
  const first = argv.find((word, index) => !word.startsWith('-') && !withValue.has(argv[index - 1] ?? ''))
  if (first === undefined) return argv.some((word) => HELP_FLAGS.includes(word))
  return LISTING.includes(first) || !words.has(first)
}

/** Value of `--flag value` or `--flag=value`; undefined without it. */
function findFlag(argv: string[], flag: string): string | undefined {
  const index = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const word = argv[index] ?? ''
  return word === flag ? argv[index + 1] : word.slice(flag.length + 1) || undefined
}

/** Names in the config file and in MAYFLY_PLUGINS. Problems of the file are reported by the commands that need it. */
function listPlugins(file: string | null, { env }: Io): string[] {
  const tree = file === null ? {} : readJson(file)
  const values = PLUGIN_SETTINGS.map((key) => (key === 'plugins' && env.MAYFLY_PLUGINS) || tree[key])
  return values
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []))
    .flatMap((name) => (typeof name === 'string' && name.trim() !== '' ? name.trim() : []))
}

function readJson(file: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, '')))
  } catch {
    return {}
  }
}

const firstWord = (name: string): string => name.split(' ')[0] ?? ''

/** Checks the commands of one plugin. `own`: names of the built-in commands. Throws CliError `usage`. */
export function assertValidCommands(plugin: Plugin, own: string[]): void {
  const words = new Set(own.map(firstWord))
  const checked: Pick<Command, 'name'>[] = []
  for (const command of plugin.commands ?? []) {
    assertValid(plugin.name, command, words, checked)
    checked.push(command)
  }
}

function assertValid(
  plugin: string,
  command: PluginCommand,
  words: Set<string>,
  others: Pick<Command, 'name'>[],
): void {
  const { name, summary, run, options = [] } = command
  const refuse = (problem: string) => {
    throw new CliError('usage', toMessage(`plugin "${plugin}" adds the command "${name}", ${problem}`))
  }
  if (!NAME.test(String(name))) refuse('whose name must be one to three lower-case words')
  if (typeof summary !== 'string' || typeof run !== 'function') refuse('which has no summary or no function run')
  if (words.has(firstWord(name))) refuse(`but "${firstWord(name)}" is a command of Mayfly`)
  const overlaps = (other: string) => `${other} `.startsWith(`${name} `) || `${name} `.startsWith(`${other} `)
  const other = others.find((each) => overlaps(each.name))
  if (other) refuse(`but there is a command "${other.name}" of a plugin`)
  const globals = GLOBAL_OPTIONS.flatMap(([flags]) => flags.match(/--?[a-z-]+/g) ?? [])
  const taken = options
    .flatMap(([flags]) => flags.match(/(?<![a-z-])--?[a-z-]+/g) ?? [])
    .find((flag) => globals.includes(flag))
  if (taken !== undefined) refuse(`whose option ${taken} belongs to every command`)
}

function toCommand(plugin: Plugin, command: PluginCommand, file: string | null): Command {
  const { name, summary, argument, options, examples = [] } = command
  return {
    name,
    summary,
    examples,
    ...(argument && { argument }),
    ...(options && { options }),
    run: (context) => runPluginCommand(plugin, command, file, context),
  }
}

async function runPluginCommand(
  plugin: Plugin,
  command: PluginCommand,
  file: string | null,
  { flags, args, io }: CommandContext,
): Promise<void> {
  const { coreSettings, loadConfig } = await import('#config')
  const config = loadConfig({ file: { path: file ?? '', required: false }, env: io.env, flags: {}, cwd: io.cwd })
  const core = config.section(null, coreSettings)
  const own = config.section(plugin.name, plugin.options)
  const problems = [...core.problems, ...own.problems]
  if (!core.values || !own.values) throw new CliError('usage', problems.map(toMessage).join('\n'))
  const { dataDir, publicUrl } = core.values
  try {
    await command.run({
      options: own.values,
      flags: { ...flags },
      args,
      isJson: flags.json === true,
      dataDir: resolve(file === null ? io.cwd : dirname(file), dataDir),
      publicUrl,
      write: (text) => io.write(text),
      note: (text) => io.note(text),
    })
  } catch (error) {
    throw error instanceof Error ? new CliError('unexpected', toMessage(`${plugin.name}: ${error.message}`)) : error
  }
}
