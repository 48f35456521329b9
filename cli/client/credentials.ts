/** API tokens of the local user, one per server: from variables, or from a file with mode 0600. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { readNamedFile } from '../files/named-file.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { getUserFilePath, prepareUserFile, writeUserFile } from './user-files.js'

export interface Credential {
  token: string
  /** Source of the token, for messages. */
  origin: string
}

const getTokenFile = (io: Io) => getUserFilePath('tokens.json', io)

/**
 * Finds the token for a server: MAYFLY_TOKEN or MAYFLY_TOKEN_FILE if `isChosen` says that it is the configured server,
 * else the token stored by `mayfly login`. Returns null for none. Throws CliError `usage`.
 */
export async function findCredential(
  server: string,
  isChosen: () => Promise<boolean>,
  io: Io,
): Promise<Credential | null> {
  const fromEnvironment = await readEnvironmentToken(io)
  if (fromEnvironment && (await isChosen())) return fromEnvironment
  const token = await readStoredToken(server, io)
  return token === null ? null : { token, origin: getTokenFile(io) ?? '' }
}

/**
 * Creates the folder of the token file and returns the file's path. Throws CliError `usage` when that is impossible.
 */
export const prepareTokenFile = (io: Io): Promise<string> =>
  prepareUserFile('tokens.json', 'a token', io, ', or use MAYFLY_TOKEN')

/** Stores a token; null removes it. Throws like `prepareTokenFile`. */
export async function storeToken(server: string, token: string | null, io: Io): Promise<void> {
  const path = await prepareTokenFile(io)
  const { [toServerKey(server)]: _, ...others } = await readTokens(io)
  const all = token === null ? others : { ...others, [toServerKey(server)]: token }
  await writeUserFile(path, all)
}

/** Returns the stored token of a server, or null. */
export const readStoredToken = async (server: string, io: Io): Promise<string | null> =>
  (await readTokens(io))[toServerKey(server)] ?? null

export const isSameServer = (one: string, other: string): boolean => toServerKey(one) === toServerKey(other)

/** Returns the token without white space around it. Throws CliError `usage` unless it is one line of visible ASCII. */
export function parseToken(text: string, what: string): string {
  const token = text.trim()
  if (/^[\x21-\x7e]{1,255}$/.test(token)) return token
  throw new CliError('usage', `${what} is not an API token`)
}

async function readEnvironmentToken(io: Io): Promise<Credential | null> {
  const { MAYFLY_TOKEN: token, MAYFLY_TOKEN_FILE: path } = io.env
  if (token) return { token: parseToken(token, 'MAYFLY_TOKEN'), origin: 'MAYFLY_TOKEN' }
  if (!path) return null
  const text = (await readNamedFile('MAYFLY_TOKEN_FILE', path, io)).toString()
  return { token: parseToken(text, 'MAYFLY_TOKEN_FILE'), origin: 'MAYFLY_TOKEN_FILE' }
}

async function readTokens(io: Io): Promise<Record<string, string>> {
  const path = getTokenFile(io)
  // existsSync is false for an unreadable folder too.
  if (path === null || !existsSync(path)) return {}
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `cannot read ${path}: ${error.code}`)
  })
  try {
    const tokens: unknown = JSON.parse(text)
    const entries = Object.entries(tokens as object).filter(([, token]) => typeof token === 'string')
    return Object.fromEntries(entries)
  } catch {
    throw new CliError('usage', `${path} is not a valid token file`, 'remove it and run `mayfly login` again')
  }
}

/** Returns scheme, host, port and path, which identify a server. */
export function toServerKey(server: string): string {
  if (!URL.canParse(server)) return server
  const { origin, pathname } = new URL(server)
  return origin + pathname.replace(/\/+$/, '')
}
