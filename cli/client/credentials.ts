/** Tokens of this machine's user, each bound to one server: kept in a file that nobody else can read, or given by variables. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, chmod, constants, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'
import { getUserFile } from './user-files.js'

export interface Credential {
  token: string
  /** Where it comes from, for people. */
  origin: string
}

const getTokenFile = (io: Io) => getUserFile('tokens.json', io)

/**
 * The token for this server: MAYFLY_TOKEN or MAYFLY_TOKEN_FILE, which are for the server that was chosen and no other, or
 * the one that `mayfly login` kept. `isChosen`: whether it is that server. Null: none. Throws CliError `usage`.
 */
export async function findCredential(
  server: string,
  isChosen: () => Promise<boolean>,
  io: Io,
): Promise<Credential | null> {
  const given = await readEnvironmentToken(io)
  if (given && (await isChosen())) return given
  const token = await readStoredToken(server, io)
  return token === null ? null : { token, origin: getTokenFile(io) ?? '' }
}

/** Makes the folder that tokens are kept in, and answers their file. Throws CliError `usage` where there can be none. */
export async function prepareTokenFile(io: Io): Promise<string> {
  const path = getTokenFile(io)
  const hint = 'set XDG_CONFIG_HOME to a folder that can be, or use MAYFLY_TOKEN'
  if (path === null) throw new CliError('usage', 'there is no folder to keep a token in: no home is known', hint)
  const folder = dirname(path)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK | constants.X_OK)
    return path
  } catch (error) {
    throw new CliError('usage', `${folder} cannot be written: ${(error as NodeJS.ErrnoException).code}`, hint)
  }
}

/** Keeps a token, or forgets it when it is null. Throws as `placeForTokens`. */
export async function storeToken(server: string, token: string | null, io: Io): Promise<void> {
  const path = await prepareTokenFile(io)
  const { [toServerKey(server)]: _, ...others } = await readTokens(io)
  const all = token === null ? others : { ...others, [toServerKey(server)]: token }
  const half = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(half, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
  await chmod(half, 0o600)
  await rename(half, path)
}

/** The one that was kept for it; null: none. */
export const readStoredToken = async (server: string, io: Io): Promise<string | null> =>
  (await readTokens(io))[toServerKey(server)] ?? null

export const isSameServer = (one: string, other: string): boolean => toServerKey(one) === toServerKey(other)

/** One line of visible characters. Throws CliError `usage`. */
export function parseToken(text: string, what: string): string {
  const token = text.trim()
  if (/^[\x21-\x7e]{1,255}$/.test(token)) return token
  throw new CliError('usage', `${what} holds no API token`)
}

async function readEnvironmentToken(io: Io): Promise<Credential | null> {
  const { MAYFLY_TOKEN: token, MAYFLY_TOKEN_FILE: path } = io.env
  if (token) return { token: parseToken(token, 'MAYFLY_TOKEN'), origin: 'MAYFLY_TOKEN' }
  if (!path) return null
  const text = await readFile(resolvePath(io, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `MAYFLY_TOKEN_FILE cannot be read: ${error.code}`)
  })
  return { token: parseToken(text, 'MAYFLY_TOKEN_FILE'), origin: 'MAYFLY_TOKEN_FILE' }
}

async function readTokens(io: Io): Promise<Record<string, string>> {
  const path = getTokenFile(io)
  // Nor is there one where we may not even look.
  if (path === null || !existsSync(path)) return {}
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `${path} cannot be read: ${error.code}`)
  })
  try {
    const tokens: unknown = JSON.parse(text)
    const entries = Object.entries(tokens as object).filter(([, token]) => typeof token === 'string')
    return Object.fromEntries(entries)
  } catch {
    throw new CliError('usage', `${path} is not what \`mayfly login\` wrote`, 'remove it, and log in again')
  }
}

/** Scheme, host, port and path: another one is another server. */
function toServerKey(server: string): string {
  if (!URL.canParse(server)) return server
  const { origin, pathname } = new URL(server)
  return origin + pathname.replace(/\/+$/, '')
}
