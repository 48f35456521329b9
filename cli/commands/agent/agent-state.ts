/** Burn tokens and collect links of an agent: files of mode 0600 in the state folder, in a folder of mode 0700. */
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '#core/lib/create-folder'
import type { EpochMs } from '#shared/epoch-ms'
import { getStateFolder } from '../../client/user-files.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'

/** Returns the folder and creates it. Throws CliError `usage`. */
export async function prepareStateFolder(io: Io): Promise<string> {
  const folder = getStateFolder('agent', io)
  if (folder === null) throw new CliError('usage', 'no home folder for the state of agents', 'set XDG_STATE_HOME')
  try {
    await createFolder(folder)
  } catch (error) {
    throw new CliError(
      'usage',
      `cannot create ${folder}: ${(error as NodeJS.ErrnoException).code}`,
      'set XDG_STATE_HOME',
    )
  }
  return folder
}

/** Stores a burn token until the secret expires, and removes the tokens of expired secrets. */
export async function storeBurnToken(id: string, token: string, expiresAt: EpochMs, io: Io): Promise<void> {
  const folder = await prepareStateFolder(io)
  for (const name of await readdir(folder)) {
    const [, until] = /^[\w-]{22}\.(\d+)\.burn$/.exec(name) ?? []
    if (until !== undefined && Number(until) < Date.now()) await rm(join(folder, name), { force: true })
  }
  await writeFile(join(folder, `${id}.${expiresAt}.burn`), `${token}\n`, { mode: 0o600, flag: 'wx' })
}

/** Returns the path of a stored burn token. Throws CliError `gone`. */
export async function findBurnToken(id: string, io: Io): Promise<string> {
  const folder = await prepareStateFolder(io)
  const name = (await readdir(folder)).find((each) => each.startsWith(`${id}.`) && each.endsWith('.burn'))
  if (name !== undefined) return join(folder, name)
  throw new CliError('gone', 'no burn token of this secret is stored', 'only secrets of create_secret have one')
}

/** Returns the handle of a new request, and the path for its collect link. */
export async function newRequestHandle(io: Io): Promise<{ request: string; path: string }> {
  const request = randomBytes(8).toString('hex')
  return { request, path: join(await prepareStateFolder(io), `${request}.collect`) }
}

/** Returns the collect link of a request. Throws CliError `gone`. */
export async function readCollectLink(request: string, io: Io): Promise<string> {
  try {
    return (await readFile(join(await prepareStateFolder(io), `${request}.collect`), 'utf8')).trim()
  } catch {
    throw new CliError('gone', 'unknown request', 'use the value of request that request_secret has returned')
  }
}
