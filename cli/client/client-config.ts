/**
 * The config file of the command line, `~/.config/mayfly/config.json`: the keys of ClientSettings, and the same keys
 * for each profile below `profiles`. It contains no secrets; tokens have a file of their own.
 */
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, isAbsolute } from 'node:path'
import { createFolder } from '#core/lib/create-folder'
import { CliError } from '../lib/cli-error.js'
import { parseDuration } from '../output/duration.js'
import { type Io, resolvePath } from '../output/io.js'
import { getUserFilePath, writeUserFile } from './user-files.js'

export interface ClientSettings {
  server?: string
  /** Public address of the server, if it is another one. New links begin with it. */
  public_url?: string
  ttl?: string
  views?: string
  color?: string
  /** Files with absolute paths, for requests to `server`. */
  headers_file?: string
  cert?: string
  key?: string
  ca?: string
  /** Access of agents by `mayfly mcp`: absolute paths of folders, as in PATH, and names of commands with commas. */
  agent_folders?: string
  agent_commands?: string
}
export type ClientKey = keyof ClientSettings

export interface ClientConfigFlags {
  /** Another file. */
  config?: string | undefined
  profile?: string | undefined
}

interface ClientFile extends ClientSettings {
  profiles?: Record<string, ClientSettings>
}

const PROFILE_NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/i

const url = {
  isValid: (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  expected: 'a URL such as https://secrets.example.org',
}
const file = { isValid: isAbsolute, expected: 'an absolute path' }

/** Checks by key; each throws CliError `usage`, or returns false for an invalid value. */
const CHECKS: Record<ClientKey, { isValid(value: string): boolean; expected: string }> = {
  server: url,
  public_url: url,
  ttl: { isValid: isDuration, expected: 'a duration such as 2h' },
  views: { isValid: (value) => /^[1-9]\d{0,8}$/.test(value), expected: 'a whole number' },
  color: { isValid: (value) => ['auto', 'always', 'never'].includes(value), expected: 'auto, always or never' },
  headers_file: file,
  cert: file,
  key: file,
  ca: file,
  agent_folders: {
    isValid: (value) => value.split(delimiter).every(isAbsolute),
    expected: `absolute paths with ${delimiter} between them`,
  },
  agent_commands: {
    isValid: (value) => value.split(',').every((name) => /^[^\s,;&|<>`$()]+$/.test(name.trim())),
    expected: 'names of programs with commas between them',
  },
}

export const CLIENT_KEYS = Object.keys(CHECKS) as ClientKey[]

/**
 * Returns the settings of the profile from --profile or MAYFLY_PROFILE, over the common ones. Throws CliError `usage`.
 */
export function readClientConfig(flags: ClientConfigFlags, io: Io): ClientSettings {
  const { profiles = {}, ...common } = readClientFile(flags, io)
  const name = getProfileName(flags, io)
  if (name === null) return common
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return { ...common, ...profile }
  const known = Object.keys(profiles)
  const hint = `create it with \`mayfly config set --profile ${name} server=URL\``
  throw new CliError('usage', `unknown profile "${name}"`, known.length > 0 ? `one of: ${known.join(', ')}` : hint)
}

/** Changes settings of the profile; null removes one. Creates file and profile. Throws CliError `usage`. */
export async function writeClientConfig(
  changes: Partial<Record<ClientKey, string | null>>,
  flags: ClientConfigFlags,
  io: Io,
): Promise<void> {
  const path = requireClientFile(flags, io)
  const { profiles = {}, ...common } = readClientFile({ ...flags, isNew: true }, io)
  const name = getProfileName(flags, io)
  const isKept = ([, value]: [string, unknown]) => value !== null
  const change = (settings: ClientSettings = {}): ClientSettings =>
    Object.fromEntries(Object.entries({ ...settings, ...changes }).filter(isKept))
  const next = name === null ? change(common) : common
  const nextProfiles = name === null ? profiles : { ...profiles, [name]: change(profiles[name]) }
  const file = { ...next, ...(Object.keys(nextProfiles).length > 0 ? { profiles: nextProfiles } : {}) }
  try {
    await createFolder(dirname(path))
    await writeUserFile(path, file)
  } catch (error) {
    throw new CliError('usage', `cannot write ${path}: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** Returns the value. Throws CliError `usage` that names the key. `origin`: a file, for the message. */
export function parseClientValue(key: ClientKey, value: unknown, origin = ''): string {
  const { isValid, expected } = CHECKS[key]
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && isValid(text)) return text
  throw new CliError('usage', `${key} must be ${expected}${origin === '' ? '' : ` (${origin})`}`)
}

/** Returns the name of the profile; null for the common settings. Throws CliError `usage`. */
export function getProfileName({ profile }: ClientConfigFlags, { env }: Io): string | null {
  const name = profile ?? env.MAYFLY_PROFILE ?? ''
  if (name === '') return null
  if (PROFILE_NAME.test(name)) return name
  throw new CliError('usage', 'invalid profile name', 'use letters, digits, - and _')
}

function requireClientFile({ config }: ClientConfigFlags, io: Io): string {
  const path = config === undefined ? getUserFilePath('config.json', io) : resolvePath(io, config)
  if (path !== null) return path
  throw new CliError('usage', 'no home folder for the config file', 'set XDG_CONFIG_HOME, or use --config FILE')
}

/** `isNew`: a file from --config may be missing. */
function readClientFile({ config, isNew }: ClientConfigFlags & { isNew?: boolean }, io: Io): ClientFile {
  const path = config === undefined ? getUserFilePath('config.json', io) : resolvePath(io, config)
  if (path === null || !existsSync(path)) {
    if (config === undefined || isNew) return {}
    throw new CliError('usage', `the config file ${path} does not exist`)
  }
  const { profiles = {}, ...common } = parseObject(readText(path), path)
  const named = Object.entries(parseObject(profiles, `profiles in ${path}`)).map(
    ([name, settings]) => [name, parseSettings(parseObject(settings, `profiles.${name} in ${path}`), path)] as const,
  )
  return { ...parseSettings(common, path), ...(named.length > 0 ? { profiles: Object.fromEntries(named) } : {}) }
}

function parseSettings(found: Record<string, unknown>, path: string): ClientSettings {
  const isKey = (key: string): key is ClientKey => Object.hasOwn(CHECKS, key)
  return Object.fromEntries(
    Object.entries(found).map(([key, value]) => {
      if (isKey(key)) return [key, parseClientValue(key, value, path)]
      throw new CliError(
        'usage',
        `${key} is not a setting of the command line (${path})`,
        `one of: ${CLIENT_KEYS.join(', ')}`,
      )
    }),
  )
}

function parseObject(found: unknown, what: string): Record<string, unknown> {
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as Record<string, unknown>
  throw new CliError('usage', `${what} is not a JSON object`)
}

function readText(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not valid JSON' : (error as NodeJS.ErrnoException).code
    throw new CliError('usage', `cannot read ${path}: ${reason}`)
  }
}

function isDuration(value: string): boolean {
  try {
    return parseDuration('ttl', value) > 0
  } catch {
    return false
  }
}
