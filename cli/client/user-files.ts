/** Files of the local user: client config, stored tokens and labels, and the state of unfinished work. */
import { access, chmod, constants, rename, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { createFolder } from '#core/lib/create-folder'
import { CliError } from '../lib/cli-error.js'
import { homeFolder, type Io } from '../output/io.js'

/** Returns the path of a file in the config folder; null for a user without a home folder, as in some containers. */
export function getUserFilePath(name: string, io: Io): string | null {
  const { XDG_CONFIG_HOME: chosen = '' } = io.env
  const folder = isAbsolute(chosen) ? chosen : join(homeFolder(io), '.config')
  return isAbsolute(folder) ? join(folder, 'mayfly', name) : null
}

/** The folder that must exist before something is stored in the state folder; null for a user without a home folder. */
export function getStateBase(io: Io): string | null {
  const { XDG_STATE_HOME: chosen = '' } = io.env
  const base = isAbsolute(chosen) ? dirname(chosen) : homeFolder(io)
  return isAbsolute(base) ? base : null
}

/** Returns the path of a folder in the state folder; null for a user without a home folder. */
export function getStateFolder(name: string, io: Io): string | null {
  const { XDG_STATE_HOME: chosen = '' } = io.env
  const state = isAbsolute(chosen) ? chosen : join(homeFolder(io), '.local', 'state')
  return isAbsolute(state) ? join(state, 'mayfly', name) : null
}

/** Creates the config folder and returns the path of a file in it. `what`: its content. Throws CliError `usage`. */
export async function prepareUserFile(name: string, what: string, io: Io, instead = ''): Promise<string> {
  const path = getUserFilePath(name, io)
  const hint = `set XDG_CONFIG_HOME to a writable folder${instead}`
  if (path === null) throw new CliError('usage', `cannot store ${what}: no home folder`, hint)
  const folder = dirname(path)
  try {
    await createFolder(folder)
    await access(folder, constants.W_OK | constants.X_OK)
    return path
  } catch (error) {
    throw new CliError('usage', `cannot write ${folder}: ${(error as NodeJS.ErrnoException).code}`, hint)
  }
}

/** Replaces a file by a JSON document, readable only by its owner. */
export async function writeUserFile(path: string, content: object): Promise<void> {
  // Takes a quarter of the time of `--help` to load, which reads these files only.
  const { randomBytes } = await import('node:crypto')
  const temporary = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, path)
}
