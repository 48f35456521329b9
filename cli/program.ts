/** From the definitions of the commands to a commander program; what a command does is loaded when it runs. */
import { Command as Commander } from 'commander'
import { type Command, GLOBAL_OPTIONS, type GlobalFlags } from './command.js'
import { configList } from './commands/config-list.js'
import { dbCopy } from './commands/db-copy.js'
import { help } from './commands/help.js'
import { migrate } from './commands/migrate.js'
import { secretBurn } from './commands/secret-burn.js'
import { secretCreate } from './commands/secret-create.js'
import { secretRead } from './commands/secret-read.js'
import { serve } from './commands/serve.js'
import { versionCommand } from './commands/version.js'
import { CliError } from './errors.js'
import { createIo, print } from './io.js'
import { version } from './version.js'

/** In the order in which help lists them. */
export const COMMANDS: Command<never>[] = [
  secretCreate,
  secretRead,
  secretBurn,
  serve,
  migrate,
  configList,
  dbCopy,
  help,
  versionCommand,
]
/** What the words before the last one stand for. */
const GROUPS: Record<string, string> = {
  secret: 'create, read and burn secrets',
  config: 'look at the settings of the instance',
  db: 'move databases',
}

/** The whole tree. Parsing throws CommanderError for wrong usage, and whatever a command throws. */
export function buildProgram(): Commander {
  const program = root()
  for (const command of COMMANDS) add(program, command)
  return program
}

function root(): Commander {
  const program = new Commander('mayfly')
    .description('Share secrets that live once.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {} })
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions, visibleCommands: leaves, subcommandTerm: fullName })
    .addHelpText('after', '\nEvery command has its own --help. More: mayfly help examples, environment, exit-codes.')
  for (const [flags, description, fallback] of GLOBAL_OPTIONS) program.option(flags, description, fallback)
  return program
}

function add(program: Commander, { name, summary, argument, options = [], examples, run }: Command<never>): void {
  const words = name.split(' ')
  const leaf = group(program, words.slice(0, -1))
    .command(words.at(-1) as string)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .summary(summary)
  if (argument) leaf.argument(...argument)
  for (const [flags, description, fallback] of options) leaf.option(flags, description, fallback)
  leaf.addHelpText('after', examplesText(examples))
  leaf.action(async () => {
    const flags: GlobalFlags = leaf.optsWithGlobals()
    if (!['auto', 'always', 'never'].includes(flags.color ?? 'auto')) {
      throw new CliError('usage', '--color must be auto, always or never')
    }
    await run({ flags: flags as never, words: leaf.args, io: createIo(flags) })
  })
}

/** The command that holds others, made when it is first needed. */
function group(program: Commander, words: string[]): Commander {
  return words.reduce(
    (at, word) => at.commands.find((each) => each.name() === word) ?? at.command(word).description(GROUPS[word] ?? ''),
    program,
  )
}

function examplesText(examples: Command['examples']): string {
  return `\nExamples:\n${examples.map(([does, command]) => `  # ${does}\n  ${command}\n`).join('')}`
}

/** A subcommand's help names the global flags too, but --version is asked of the program. */
function visibleGlobalOptions(command: Commander) {
  return (command.parent ? rootOf(command).options : []).filter(({ long }) => long !== '--version')
}

/** Help lists what can be run, not the groups in between. */
const leaves = (command: Commander): Commander[] =>
  command.commands.flatMap((each) => (each.commands.length > 0 ? leaves(each) : [each]))

function fullName(command: Commander): string {
  const { parent } = command
  return parent?.parent ? `${fullName(parent)} ${command.name()}` : command.name()
}

const rootOf = (command: Commander): Commander => (command.parent ? rootOf(command.parent) : command)
