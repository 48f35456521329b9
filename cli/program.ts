/** Builds the commander program from the command definitions. A command's implementation is loaded when it runs. */
import { Command as Commander, Option as Flag } from 'commander'
import { lookUp } from '#shared/look-up'
import { readClientConfig } from './client/client-config.js'
import { agentCommands } from './commands/agent/agent-commands.js'
import { type Catalog, type Command, GLOBAL_OPTIONS, type GlobalFlags, type Option } from './commands/command.js'
import { configCommands } from './commands/config/config-commands.js'
import { referenceCommands } from './commands/reference/reference-commands.js'
import { requestCommands } from './commands/request/request-commands.js'
import { runCommands } from './commands/run/run-commands.js'
import { secretCommands } from './commands/secret/secret-commands.js'
import { sessionCommands } from './commands/session/session-commands.js'
import { webhookCommands } from './commands/webhook/webhook-commands.js'
import { INSTANCE_COMMANDS } from './instance-commands.js'
import { CliError } from './lib/cli-error.js'
import { version } from './lib/version.js'
import { parseDuration } from './output/duration.js'
import type { Io } from './output/io.js'

export const COMMANDS: Command[] = [
  ...secretCommands,
  ...requestCommands,
  ...webhookCommands,
  ...sessionCommands,
  ...runCommands,
  ...agentCommands,
  ...INSTANCE_COMMANDS,
  ...configCommands,
  ...referenceCommands,
]
const GROUPS: Record<string, string> = {
  secret: 'create, read, burn and list secrets',
  request: 'receive secrets from others',
  webhook: 'send events of your own secrets and requests to other servers',
  user: 'create, list, change and delete users',
  import: 'import users and settings of another program',
  settings: 'show and change instance settings',
  events: 'list and deliver events for webhooks and other subscribers',
  plugin: 'list and check plugins',
  mail: 'test the sending of e-mail',
  config: 'show the config of the instance; show and change defaults of the command line',
  db: 'copy databases',
}

export const CATALOG: Catalog = {
  commands: COMMANDS,
  groups: GROUPS,
  async showHelp(words, io) {
    await buildProgram(io).parseAsync([...words, '--help'], { from: 'user' })
  },
}

/**
 * Returns the command tree. Parsing throws CommanderError for wrong usage, or what a command throws. `added`: commands
 * of plugins. `first`: the first word of the arguments; if commands begin with it, the tree has only these, because
 * building all takes a twentieth of the time of a short command.
 */
export function buildProgram(io: Io, added: Command[] = [], first = ''): Commander {
  const program = createRoot(io)
  const catalog: Catalog = {
    groups: GROUPS,
    commands: [...COMMANDS, ...added],
    async showHelp(words, io) {
      await buildProgram(io, added).parseAsync([...words, '--help'], { from: 'user' })
    },
  }
  const chosen = catalog.commands.filter(({ name }) => `${name} `.startsWith(`${first} `))
  for (const command of chosen.length > 0 ? chosen : catalog.commands) addCommand(program, command, catalog, io)
  return program
}

function createRoot(io: Io): Commander {
  const program = new Commander('mayfly')
    .description('Share secrets through links that work once.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: () => {},
      getOutHelpWidth: () => io.columns,
    })
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: listGlobalOptions,
      visibleCommands: listLeaves,
      subcommandTerm: getFullName,
    })
    .addHelpText(
      'after',
      '\nEvery command has its own --help. Topics: mayfly help examples | environment | exit-codes | formats',
    )
  for (const option of GLOBAL_OPTIONS) program.addOption(createFlag(option))
  return program
}

function addCommand(program: Commander, command: Command, catalog: Catalog, io: Io): void {
  const { name, summary, argument, options = [], examples, run: work } = command
  const words = name.split(' ')
  const leaf = findOrAddGroup(program, words.slice(0, -1))
    .command(words.at(-1) as string)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .summary(summary)
    .helpGroup(getHelpGroup(command))
  if (argument) leaf.argument(argument[0], argument[1])
  for (const option of options) leaf.addOption(createFlag(option))
  if (examples.length > 0) leaf.addHelpText('after', formatExamples(examples))
  leaf.action(async () => {
    const flags: GlobalFlags = leaf.optsWithGlobals()
    const color = flags.color ?? readDefaultColor(flags, io)
    await work({ flags, args: leaf.args, io: io.withFlags({ ...flags, color }), catalog })
  })
}

const OF_SECRETS = ['secret', 'request', 'webhook', 'login', 'logout', 'whoami', 'run', 'env', 'inject', 'mcp']
const OF_PROGRAM = ['config', 'help', 'man', 'completion', 'version']

/** Heading of a command in `--help`. */
function getHelpGroup(command: Command): string {
  const [group = ''] = command.name.split(' ')
  if (OF_SECRETS.includes(group)) return 'Commands for secrets:'
  if (OF_PROGRAM.includes(group)) return 'Other commands:'
  return COMMANDS.includes(command) ? 'Commands for the instance:' : 'Commands of plugins:'
}

/** Commands that need the config file report its problems. */
function readDefaultColor({ profile }: GlobalFlags, io: Io): string | undefined {
  try {
    return readClientConfig({ profile }, io).color
  } catch (error) {
    if (error instanceof CliError) return undefined
    throw error
  }
}

/**
 * Creates a commander option that checks choices, durations and numbers. Parsing throws CliError `usage` with the flag
 * name; the value is not printed, because it may be sensitive.
 */
function createFlag([flags, description, fallback, choices]: Option): Flag {
  const option = new Flag(flags, description)
  const long = option.long as string
  const addCheck = (check: (value: string) => void) =>
    option.argParser((value) => {
      check(value)
      return value
    })
  if (fallback !== undefined) option.default(fallback)
  if (flags.endsWith('<name:value>')) option.argParser((value, before: string[] = []) => [...before, value])
  if (flags.endsWith('<duration>')) addCheck((value) => parseDuration(long, value))
  if (/<(number|count)>$/.test(flags)) {
    addCheck((value) => {
      if (!/^\d{1,16}$/.test(value)) throw new CliError('usage', `${long} must be a whole number`)
    })
  }
  if (!choices) return option
  return addCheck((value) => {
    if (choices.includes(value)) return
    throw new CliError('usage', `${long} must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`)
  })
}

/** Returns the commander command of a group such as `secret`; creates it at first use. */
function findOrAddGroup(program: Commander, words: string[]): Commander {
  return words.reduce(
    (at, word) =>
      at.commands.find((each) => each.name() === word) ?? at.command(word).description(lookUp(GROUPS, word) ?? ''),
    program,
  )
}

function formatExamples(examples: Command['examples']): string {
  return `\nExamples:\n${examples.map(([does, command]) => `  # ${does}\n  ${command}\n`).join('')}`
}

/** Global flags for a command's help. --version belongs to the program only. */
function listGlobalOptions(command: Commander) {
  return (command.parent ? getRoot(command).options : []).filter(({ long }) => long !== '--version')
}

/** Help lists commands only, without groups. */
const listLeaves = (command: Commander): Commander[] =>
  command.commands.flatMap((each) => (each.commands.length > 0 ? listLeaves(each) : [each]))

function getFullName(command: Commander): string {
  const { parent } = command
  return parent?.parent ? `${getFullName(parent)} ${command.name()}` : command.name()
}

const getRoot = (command: Commander): Commander => (command.parent ? getRoot(command.parent) : command)
