/** From the definitions of the commands to a commander program; what a command does is loaded when it runs. */
import { Command as Commander, Option as Flag } from 'commander'
import { type Catalog, type Command, GLOBAL_OPTIONS, type GlobalFlags, type Option } from './commands/command.js'
import { doctor } from './commands/doctor/doctor.js'
import { verifyWeb } from './commands/doctor/verify-web.js'
import { audit } from './commands/maintenance/audit.js'
import { backup } from './commands/maintenance/backup.js'
import { purge } from './commands/maintenance/purge.js'
import { restore } from './commands/maintenance/restore.js'
import { completion } from './commands/reference/completion.js'
import { help } from './commands/reference/help.js'
import { man } from './commands/reference/man.js'
import { versionCommand } from './commands/reference/version.js'
import { run } from './commands/run/run.js'
import { secretBurn } from './commands/secret/burn.js'
import { secretCreate } from './commands/secret/create.js'
import { secretList } from './commands/secret/list.js'
import { secretRead } from './commands/secret/read.js'
import { secretWait } from './commands/secret/wait.js'
import { configList } from './commands/server/config-list.js'
import { dbCopy } from './commands/server/db-copy.js'
import { migrate } from './commands/server/migrate.js'
import { serve } from './commands/server/serve.js'
import { login } from './commands/session/login.js'
import { logout } from './commands/session/logout.js'
import { whoami } from './commands/session/whoami.js'
import { settingsGet } from './commands/settings/get.js'
import { settingsList } from './commands/settings/list.js'
import { settingsSet } from './commands/settings/set.js'
import { setup } from './commands/setup/setup.js'
import { userAdd } from './commands/user/add.js'
import { userDelete } from './commands/user/delete.js'
import { userList } from './commands/user/list.js'
import { userPasswd } from './commands/user/passwd.js'
import { userRole } from './commands/user/role.js'
import { userToken } from './commands/user/token.js'
import { CliError } from './lib/cli-error.js'
import { version } from './lib/version.js'
import { parseDuration } from './output/duration.js'
import type { Io } from './output/io.js'

export const COMMANDS: Command<never>[] = [
  secretCreate,
  secretRead,
  secretBurn,
  secretWait,
  secretList,
  login,
  logout,
  whoami,
  run,
  setup,
  serve,
  migrate,
  userAdd,
  userList,
  userRole,
  userPasswd,
  userDelete,
  userToken,
  settingsList,
  settingsGet,
  settingsSet,
  audit,
  configList,
  dbCopy,
  backup,
  restore,
  purge,
  doctor,
  verifyWeb,
  help,
  completion,
  man,
  versionCommand,
]
const GROUPS: Record<string, string> = {
  secret: 'create, read, burn and list secrets',
  user: 'make, list, change and delete accounts',
  settings: 'what administrators set while the instance runs',
  config: 'look at the settings of the instance',
  db: 'move databases',
}

export const CATALOG: Catalog = {
  commands: COMMANDS,
  groups: GROUPS,
  async showHelp(words, io) {
    await buildProgram(io).parseAsync([...words, '--help'], { from: 'user' })
  },
}

/** The whole tree. Parsing throws CommanderError for wrong usage, and whatever a command throws. */
export function buildProgram(io: Io): Commander {
  const program = createRoot(io)
  for (const command of COMMANDS) addCommand(program, command, io)
  return program
}

function createRoot(io: Io): Commander {
  const program = new Commander('mayfly')
    .description('Share secrets that live once.')
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
      '\nEvery command has its own --help. More: mayfly help examples, environment, exit-codes, formats.',
    )
  for (const option of GLOBAL_OPTIONS) program.addOption(createFlag(option))
  return program
}

function addCommand(program: Commander, command: Command<never>, io: Io): void {
  const { name, summary, argument, options = [], examples, run: work } = command
  const words = name.split(' ')
  const leaf = findOrAddGroup(program, words.slice(0, -1))
    .command(words.at(-1) as string)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .summary(summary)
  if (argument) leaf.argument(argument[0], argument[1])
  for (const option of options) leaf.addOption(createFlag(option))
  leaf.addHelpText('after', formatExamples(examples))
  leaf.action(async () => {
    const flags: GlobalFlags = leaf.optsWithGlobals()
    await work({ flags: flags as never, args: leaf.args, io: io.withFlags(flags), catalog: CATALOG })
  })
}

/** A value that is none of the choices, no duration or no number throws CliError `usage`; it is not repeated. */
function createFlag([flags, description, fallback, choices]: Option): Flag {
  const option = new Flag(flags, description)
  const long = option.long as string
  const checked = (check: (value: string) => void) =>
    option.argParser((value) => {
      check(value)
      return value
    })
  if (fallback !== undefined) option.default(fallback)
  if (flags.endsWith('<duration>')) checked((value) => parseDuration(long, value))
  if (/<(number|count)>$/.test(flags)) {
    checked((value) => {
      if (!/^\d{1,16}$/.test(value)) throw new CliError('usage', `${long} must be a whole number`)
    })
  }
  if (!choices) return option
  return checked((value) => {
    if (choices.includes(value)) return
    throw new CliError('usage', `${long} must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`)
  })
}

/** The command that holds others, made when it is first needed. */
function findOrAddGroup(program: Commander, words: string[]): Commander {
  return words.reduce(
    (at, word) => at.commands.find((each) => each.name() === word) ?? at.command(word).description(GROUPS[word] ?? ''),
    program,
  )
}

function formatExamples(examples: Command['examples']): string {
  return `\nExamples:\n${examples.map(([does, command]) => `  # ${does}\n  ${command}\n`).join('')}`
}

/** A subcommand's help names the global flags too, but --version is asked of the program. */
function listGlobalOptions(command: Commander) {
  return (command.parent ? getRoot(command).options : []).filter(({ long }) => long !== '--version')
}

/** Help lists what can be run, not the groups in between. */
const listLeaves = (command: Commander): Commander[] =>
  command.commands.flatMap((each) => (each.commands.length > 0 ? listLeaves(each) : [each]))

function getFullName(command: Commander): string {
  const { parent } = command
  return parent?.parent ? `${getFullName(parent)} ${command.name()}` : command.name()
}

const getRoot = (command: Commander): Commander => (command.parent ? getRoot(command.parent) : command)
