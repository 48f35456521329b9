/** Plans a setup from flags, variables and the existing config. */
import { existsSync } from 'node:fs'
import { envName, readText, type Setting, shownValue } from '#config'
import { lookUp } from '#shared/look-up'
import {
  findConfigFile,
  type InstanceConfig,
  loadInstanceConfig,
  parseKeyValues,
} from '../../instance/instance-config.js'
import { CliError } from '../../lib/cli-error.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { type Io, resolvePath } from '../../output/io.js'
import { quotePosix } from '../../output/shell-quote.js'
import type { SetupFlags } from './setup-flags.js'

/** Config settings by dotted key. */
export type SettingValues = Record<string, string>

export interface Plan {
  /** The config file. */
  path: string
  /** Settings from flags and prompts. */
  chosen: SettingValues
  config: InstanceConfig
  /** The config file is replaced instead of changed. */
  force: boolean
}

export const STORES: Record<string, string> = { local: 'local-files', s3: 's3', off: '' }

/** Throws CliError `usage` with all problems at once. */
export async function createPlan({ path, chosen, force }: Omit<Plan, 'config'>, io: Io): Promise<Plan> {
  const isThere = existsSync(path) && !force
  return { path, chosen, force, config: await loadInstanceConfig(isThere ? path : '', chosen, io, OPTIONS) }
}

/** Returns the config file from --write or --config, else the config file that `serve` would find. */
export const resolveConfigPath = ({ write, config, dataDir }: SetupFlags & { config?: string }, io: Io): string =>
  resolvePath(io, write ?? config ?? findConfigFile(undefined, dataDir === undefined ? {} : { dataDir }, io).path)

export function readSettingFlags({ databaseUrl, dataDir, storage, publicUrl, port, set }: SetupFlags): SettingValues {
  const files = storage === undefined ? undefined : lookUp(STORES, storage)
  return { ...omitUndefined({ databaseUrl, dataDir, files, publicUrl, port }), ...parseKeyValues(set) }
}

/**
 * Returns the content of the config file: the existing content, the chosen settings, and settings from variables, which
 * may be unset when the server starts. Values from `_FILE` variables stay in their files.
 */
export function buildConfigFile({ path, chosen, config, force }: Plan): Record<string, unknown> {
  const content = existsSync(path) && !force ? JSON.parse(readText(path)) : {}
  for (const setting of config.allSettings) {
    if (setting.key in chosen || isVariable(setting)) setKey(content, setting.key, setting.value)
  }
  return content
}

/**
 * Returns a `mayfly setup --no-input ...` command that repeats the setup. Secrets are referenced by variables, and the
 * shell fails if these are unset.
 */
export function formatCommand({ chosen, config }: Plan, more: string[], io: Io): string {
  const variables = config.allSettings.filter(isVariable).map(({ key }) => [key, io.env[envName(key)] ?? ''] as const)
  const flags = Object.entries({ ...Object.fromEntries(variables), ...chosen }).map(([key, value]) => {
    const flag = lookUp(OPTIONS, key)
    const before = flag ? `${flag} ` : `--set ${key}=`
    if (config.allSettings.some((setting) => setting.key === key && isHidden(setting)))
      return `${before}"\${${envName(key)}:?}"`
    return `${before}${quote(key === 'files' ? getStorageName(value) : value)}`
  })
  return ['mayfly setup --no-input', ...flags, ...more.map(quote)].join(' ')
}

/** Options of the command, by config setting. */
const OPTIONS: Record<string, string> = {
  databaseUrl: '--database-url',
  dataDir: '--data-dir',
  files: '--storage',
  publicUrl: '--public-url',
  port: '--port',
}

/** Returns the --storage value of a plugin. */
const getStorageName = (plugin: string) => Object.entries(STORES).find(([, name]) => name === plugin)?.[0] ?? plugin

const isHidden = (setting: Setting) => /^\*+$/.test(shownValue(setting))

/** True for a setting from its own variable, not derived from `databaseUrl`. */
const isVariable = ({ key, origin }: Setting) => origin === envName(key)

/** Quotes a text for POSIX shells where it needs it. */
const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotePosix(text))

/** Sets a dotted key: `s3.bucket` becomes `{"s3": {"bucket": ...}}`. */
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
