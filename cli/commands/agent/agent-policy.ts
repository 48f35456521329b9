/** Access of an agent: the folders and commands of the config file of the command line. */
import { lstat, realpath } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path'
import { type ClientConfigFlags, readClientConfig } from '../../client/client-config.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'

export interface AgentPolicy {
  /** Real paths. The first one is the working folder of commands. */
  folders: [string, ...string[]]
  /** As the user wrote them. */
  commands: string[]
}

/** Shell metacharacters. Commands run without a shell, so an argument with them is a mistake or an attack. */
const SHELL_CHARACTERS = /[;&|<>`$()\0\r\n]/

/** Throws CliError `usage`, which names the setting, without folders or commands. */
export async function readPolicy(flags: ClientConfigFlags, io: Io): Promise<AgentPolicy> {
  const settings = readClientConfig(flags, io)
  const listed = (settings.agent_folders ?? '').split(delimiter).filter((path) => path !== '')
  const commands = (settings.agent_commands ?? '').split(',').map((name) => name.trim())
  const allowed = commands.filter((name) => name !== '')
  if (listed.length === 0) throw createMissingError('agent_folders', `/home/me/project${delimiter}/home/me/other`)
  if (allowed.length === 0) throw createMissingError('agent_commands', 'npm,psql')
  const [first, ...others] = await Promise.all(listed.map(findFolder))
  return { folders: [first as string, ...others], commands: allowed }
}

const createMissingError = (key: string, example: string) =>
  new CliError(
    'usage',
    `agents have no access: the setting ${key} of the command line is empty`,
    `mayfly config set ${key}=${example}`,
  )

async function findFolder(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    throw new CliError('usage', `the folder ${path} of the setting agent_folders does not exist`)
  }
}

/** Returns the real path of an existing file or folder. Throws CliError `denied` outside the allowed folders. */
export async function checkPath(path: string, policy: AgentPolicy): Promise<string> {
  checkForm(path)
  const real = await realpath(path).catch(() => null)
  // Outside, a missing path has the same message, so that the error does not reveal which paths exist.
  if (real === null && isInside(path, policy)) throw new CliError('usage', 'this file or folder does not exist')
  if (real === null || !isInside(real, policy)) throw createOutsideError()
  return real
}

/** Returns the path of a file to create, whose folder exists. Throws as `checkPath`. */
export async function checkNewFile(path: string, policy: AgentPolicy): Promise<string> {
  checkForm(path)
  const target = join(await checkPath(dirname(path), policy), basename(path))
  // Also a symbolic link that leads nowhere yet.
  const found = await lstat(target).catch(() => null)
  if (found) throw new CliError('conflict', 'this file exists already')
  return target
}

/** Throws CliError `denied` unless the command is listed and has no characters of a shell. */
export function checkCommand([program = '', ...args]: string[], { commands }: AgentPolicy): void {
  if ([program, ...args].some((word) => SHELL_CHARACTERS.test(word))) {
    const hint =
      'commands run without a shell: pass a program and its arguments, without ; & | < > ` $ ( ) and line breaks'
    throw new CliError('denied', 'the command contains characters of a shell', hint)
  }
  if (!commands.includes(program)) {
    throw new CliError(
      'denied',
      'this command is not in the setting agent_commands of the command line',
      `allowed: ${commands.join(', ')}`,
    )
  }
}

function checkForm(path: string): void {
  if (!isAbsolute(path)) throw new CliError('usage', 'the path must be absolute')
  if (path.split(/[\\/]/).includes('..')) throw new CliError('denied', 'the path must not contain ..')
}

const isInside = (path: string, { folders }: AgentPolicy): boolean =>
  folders.some((folder) => {
    const way = relative(folder, path)
    return way === '' || (!isAbsolute(way) && way !== '..' && !/^\.\.[\\/]/.test(way))
  })

const createOutsideError = () =>
  new CliError(
    'denied',
    'this path is outside the folders of the setting agent_folders of the command line',
    'symbolic links count as their target',
  )
