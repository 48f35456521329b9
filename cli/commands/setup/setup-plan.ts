/** What is to be set up: from flags, variables and the config that is there. */
import { existsSync, readFileSync } from 'node:fs'
import { envName, type Setting, shownValue } from '#config'
import { type Boot, findConfig, keyValues, readBoot } from '../../instance/boot.js'
import { CliError } from '../../lib/cli-error.js'
import { type Io, resolvePath } from '../../output/io.js'
import type { SetupFlags } from './setup-flags.js'

/** Settings by their dotted keys. */
export type Chosen = Record<string, string>

export interface Plan {
  /** The config file. */
  path: string
  /** What flags and answers say. */
  chosen: Chosen
  boot: Boot
}

export const STORES: Record<string, string> = { local: 'local-files', s3: 's3', off: '' }

/** Throws CliError `usage` with every problem at once. */
export async function planOf(path: string, chosen: Chosen, force: boolean | undefined, io: Io): Promise<Plan> {
  const isThere = existsSync(path) && !force
  return { path, chosen, boot: await readBoot(isThere ? path : undefined, chosen, io) }
}

/** The file that `serve` would find, unless flags name another. */
export const pathOf = ({ write, config, dataDir }: SetupFlags & { config?: string }, io: Io): string =>
  resolvePath(io, write ?? config ?? findConfig(dataDir === undefined ? {} : { dataDir }, io))

export function chosenBy({ databaseUrl, dataDir, storage, publicUrl, port, set }: SetupFlags): Chosen {
  const files = storage === undefined ? undefined : STORES[storage]
  const given = { databaseUrl, dataDir, files, publicUrl, port }
  const named = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
  return { ...Object.fromEntries(named), ...keyValues(set) }
}

/**
 * The config as it is written: what the file held, what was chosen, and what variables say, as they may be gone when the
 * server starts. What comes from a file that a variable names stays there.
 */
export function configOf({ path, chosen, boot }: Plan, force: boolean | undefined): Record<string, unknown> {
  const config = existsSync(path) && !force ? JSON.parse(readFileSync(path, 'utf8')) : {}
  for (const setting of boot.inForce) {
    if (setting.key in chosen || isVariable(setting)) put(config, setting.key, setting.value)
  }
  return config
}

/**
 * `mayfly setup --no-input ...`, which does the same again, without the variables too. Secrets are named by theirs, and a
 * shell that does not have them says so.
 */
export function commandFor({ chosen, boot }: Plan, more: string[], io: Io): string {
  const variables = boot.inForce.filter(isVariable).map(({ key }) => [key, io.env[envName(key)] ?? ''] as const)
  const flags = Object.entries({ ...Object.fromEntries(variables), ...chosen }).map(([key, value]) => {
    const flag = FLAGS[key]
    const before = flag ? `${flag} ` : `--set ${key}=`
    if (boot.inForce.some((setting) => setting.key === key && isHidden(setting)))
      return `${before}"\${${envName(key)}:?}"`
    return `${before}${quoted(key === 'files' ? storageOf(value) : value)}`
  })
  return ['mayfly setup --no-input', ...flags, ...more.map(quoted)].join(' ')
}

const FLAGS: Record<string, string> = {
  databaseUrl: '--database-url',
  dataDir: '--data-dir',
  files: '--storage',
  publicUrl: '--public-url',
  port: '--port',
}

/** What --storage calls a plugin. */
const storageOf = (plugin: string) => Object.keys(STORES).find((name) => STORES[name] === plugin) ?? plugin

const isHidden = (setting: Setting) => /^\*+$/.test(shownValue(setting))

/** By a variable of its own: what follows from `databaseUrl` is not written beside it. */
const isVariable = ({ key, origin }: Setting) => origin === envName(key)

/** As a POSIX shell reads it. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** Sections are objects: `s3.bucket` is `{"s3": {"bucket": ...}}`. */
function put(config: Record<string, unknown>, key: string, value: unknown): void {
  const [section = '', option] = key.split('.')
  if (option === undefined) {
    config[section] = value
    return
  }
  const inner = config[section] ?? {}
  if (typeof inner !== 'object') throw new CliError('usage', `${section} in the config file is not a section`)
  config[section] = { ...inner, [option]: value }
}
