/** What is to be set up: from flags, variables and the config that is there. */
import { existsSync, readFileSync } from 'node:fs'
import { envName, type Setting, shownValue } from '#config'
import {
  findConfigFile,
  type InstanceConfig,
  loadInstanceConfig,
  parseKeyValues,
} from '../../instance/instance-config.js'
import { CliError } from '../../lib/cli-error.js'
import { type Io, resolvePath } from '../../output/io.js'
import type { SetupFlags } from './setup-flags.js'

/** Settings by their dotted keys. */
export type SettingValues = Record<string, string>

export interface Plan {
  /** The config file. */
  path: string
  /** What flags and answers say. */
  chosen: SettingValues
  config: InstanceConfig
}

export const STORES: Record<string, string> = { local: 'local-files', s3: 's3', off: '' }

/** Throws CliError `usage` with every problem at once. */
export async function createPlan(
  path: string,
  chosen: SettingValues,
  force: boolean | undefined,
  io: Io,
): Promise<Plan> {
  const isThere = existsSync(path) && !force
  return { path, chosen, config: await loadInstanceConfig(isThere ? path : undefined, chosen, io) }
}

/** The file that `serve` would find, unless flags name another. */
export const resolveConfigPath = ({ write, config, dataDir }: SetupFlags & { config?: string }, io: Io): string =>
  resolvePath(io, write ?? config ?? findConfigFile(dataDir === undefined ? {} : { dataDir }, io))

export function readSettingFlags({ databaseUrl, dataDir, storage, publicUrl, port, set }: SetupFlags): SettingValues {
  const files = storage === undefined ? undefined : STORES[storage]
  const given = { databaseUrl, dataDir, files, publicUrl, port }
  const named = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
  return { ...Object.fromEntries(named), ...parseKeyValues(set) }
}

/**
 * The config as it is written: what the file held, what was chosen, and what variables say, as they may be gone when the
 * server starts. What comes from a file that a variable names stays there.
 */
export function buildConfigFile({ path, chosen, config }: Plan, force: boolean | undefined): Record<string, unknown> {
  const content = existsSync(path) && !force ? JSON.parse(readFileSync(path, 'utf8')) : {}
  for (const setting of config.allSettings) {
    if (setting.key in chosen || isVariable(setting)) setKey(content, setting.key, setting.value)
  }
  return content
}

/**
 * `mayfly setup --no-input ...`, which does the same again, without the variables too. Secrets are named by theirs, and a
 * shell that does not have them says so.
 */
export function formatCommand({ chosen, config }: Plan, more: string[], io: Io): string {
  const variables = config.allSettings.filter(isVariable).map(({ key }) => [key, io.env[envName(key)] ?? ''] as const)
  const flags = Object.entries({ ...Object.fromEntries(variables), ...chosen }).map(([key, value]) => {
    const flag = FLAGS[key]
    const before = flag ? `${flag} ` : `--set ${key}=`
    if (config.allSettings.some((setting) => setting.key === key && isHidden(setting)))
      return `${before}"\${${envName(key)}:?}"`
    return `${before}${quote(key === 'files' ? getStorageName(value) : value)}`
  })
  return ['mayfly setup --no-input', ...flags, ...more.map(quote)].join(' ')
}

const FLAGS: Record<string, string> = {
  databaseUrl: '--database-url',
  dataDir: '--data-dir',
  files: '--storage',
  publicUrl: '--public-url',
  port: '--port',
}

/** What --storage calls a plugin. */
const getStorageName = (plugin: string) => Object.keys(STORES).find((name) => STORES[name] === plugin) ?? plugin

const isHidden = (setting: Setting) => /^\*+$/.test(shownValue(setting))

/** By a variable of its own: what follows from `databaseUrl` is not written beside it. */
const isVariable = ({ key, origin }: Setting) => origin === envName(key)

/** As a POSIX shell reads it. */
const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** Sections are objects: `s3.bucket` is `{"s3": {"bucket": ...}}`. */
function setKey(config: Record<string, unknown>, key: string, value: unknown): void {
  const [section = '', option] = key.split('.')
  if (option === undefined) {
    config[section] = value
    return
  }
  const inner = config[section] ?? {}
  if (typeof inner !== 'object') throw new CliError('usage', `${section} in the config file is not a section`)
  config[section] = { ...inner, [option]: value }
}
