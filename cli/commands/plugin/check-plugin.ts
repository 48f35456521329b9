/** `mayfly plugin check`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { envName, loadConfig, type Section } from '#config'
import type { Plugin } from '#core'
import type { Finding } from '#core/runtime'
import { checkPlugin, listPluginSettings, loadPlugin, PluginError } from '#core/runtime'
import { builtIns } from '#plugins'
import { findConfigFile, parseKeyValues } from '../../instance/instance-config.js'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { assertValidCommands } from '../../instance/plugin-commands.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { formatCount, toSingleLine } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { formatLevel } from '../doctor/check-result.js'

export type PluginCheckFlags = InstanceFlags

interface Check {
  check: 'load' | 'options' | 'settings' | 'commands' | 'setup'
  level: Finding['level']
  message: string
}

interface Report {
  name: string | null
  contract: number | null
  hooks: string[]
  commands: string[]
  settings: string[]
  checks: Check[]
}

interface Context {
  io: Io
  /** Names of the built-in commands. */
  ownCommands: string[]
}

/**
 * Options come from --set, variables and the config file, where the plugin need not be listed. Throws CliError
 * `check_failed`.
 */
export async function checkPluginFile(
  specifier: string,
  flags: PluginCheckFlags & GlobalFlags,
  context: Context,
): Promise<void> {
  const { io } = context
  const report = await createReport(specifier, flags, context)
  await io.writeResult(flags, report, report.checks.map((check) => formatCheck(check, io)).join(''))
  const failed = report.checks.filter(({ level }) => level === 'fail')
  if (failed.length > 0) throw new CliError('check_failed', `${formatCount(failed.length, 'check')} failed`)
}

async function createReport(
  specifier: string,
  flags: PluginCheckFlags & GlobalFlags,
  { io, ownCommands }: Context,
): Promise<Report> {
  const given = parseKeyValues(flags.set)
  const file = findConfigFile(flags.config, given, io)
  let plugin: Plugin
  try {
    plugin = await loadPlugin(specifier, builtIns, /^\.{0,2}\//.test(specifier) ? io.cwd : dirname(file.path))
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    const checks: Check[] = [{ check: 'load', level: 'fail', message: error.message }]
    return { name: null, contract: null, hooks: [], commands: [], settings: [], checks }
  }
  const section = loadConfig({ file, env: io.env, flags: given, cwd: io.cwd }).section(plugin.name, plugin.options)
  const setup = await checkSetup(plugin, section)
  const commands = (plugin.commands ?? []).map(({ name }) => name)
  const settings = listPluginSettings(plugin).map(({ name }) => name)
  return {
    name: plugin.name,
    contract: plugin.contract,
    hooks: setup.hooks,
    commands,
    settings,
    checks: [
      checkName(plugin, specifier),
      ...checkOptions(plugin, section),
      ...(settings.length > 0 ? [{ check: 'settings', level: 'ok', message: settings.join(', ') } as const] : []),
      ...(commands.length > 0 ? checkCommands(plugin, ownCommands) : []),
      ...setup.checks,
    ],
  }
}

function checkName({ name, contract }: Plugin, specifier: string): Check {
  if (Object.hasOwn(builtIns, name) && !Object.hasOwn(builtIns, specifier))
    return { check: 'load', level: 'fail', message: `the name "${name}" belongs to a built-in plugin` }
  return { check: 'load', level: 'ok', message: `plugin "${name}", contract ${contract}` }
}

/** Options without a description, options that a variable cannot set, and invalid or missing values. */
function checkOptions({ name, options }: Plugin, { problems, values }: Section<unknown>): Check[] {
  const findings = Object.entries(options.shape).flatMap(([option, schema]): Check[] => {
    const key = `${name}.${option}`
    const warn = (message: string): Check => ({ check: 'options', level: 'warn', message: `${key}: ${message}` })
    const fallback = schema.safeParse(undefined)
    const isText = !fallback.success || typeof fallback.data === 'string'
    const acceptsText =
      isText ||
      ['object', 'undefined'].includes(typeof fallback.data) ||
      schema.safeParse(String(fallback.data)).success
    return [
      ...(schema.description ? [] : [warn('has no description; add .describe()')]),
      ...(acceptsText ? [] : [warn(`${envName(key)} cannot set it; use wholeNumber(), flag(), duration() or bytes()`)]),
    ]
  })
  if (!values) return [...findings, ...problems.map((message): Check => ({ check: 'options', level: 'warn', message }))]
  const count = formatCount(Object.keys(options.shape).length, 'option')
  return findings.length > 0 ? findings : [{ check: 'options', level: 'ok', message: count }]
}

function checkCommands(plugin: Plugin, ownCommands: string[]): Check[] {
  try {
    assertValidCommands(plugin, ownCommands)
    return [{ check: 'commands', level: 'ok', message: (plugin.commands ?? []).map(({ name }) => name).join(', ') }]
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return [{ check: 'commands', level: 'fail', message: error.message }]
  }
}

/**
 * Starts the plugin in a temporary data folder. Without valid options it cannot start, which is not a mistake of the
 * plugin.
 */
async function checkSetup(
  plugin: Plugin,
  { values }: Section<Record<string, unknown>>,
): Promise<{ hooks: string[]; checks: Check[] }> {
  if (!values) {
    const message = 'not started, because options are missing or invalid; set them with --set or variables'
    return { hooks: [], checks: [{ check: 'setup', level: 'warn', message }] }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-check-'))
  try {
    const { hooks, problems } = await checkPlugin({ plugin, options: values }, dataDir)
    if (problems.length > 0)
      return { hooks, checks: problems.map((message) => ({ check: 'setup', level: 'fail', message })) }
    const message = hooks.length > 0 ? `returns the hooks ${hooks.join(', ')}` : 'returns no hooks'
    return { hooks, checks: [{ check: 'setup', level: 'ok', message }] }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const formatCheck = ({ check, level, message }: Check, io: Io): string =>
  `${formatLevel(level, io)}  ${check}: ${toSingleLine(message)}\n`
