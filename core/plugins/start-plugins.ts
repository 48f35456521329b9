/** Starts the plugins of an instance in order, and closes them in reverse order. */
import { resolve } from 'node:path'
import type { Clock } from '../lib/clock.js'
import type { CloseStep } from '../lib/close-steps.js'
import type { Log } from '../lib/log.js'
import type { AppSettings } from '../settings/startup-config.js'
import type { Hooks, Plugin, PluginContext } from './plugin.js'
import { PluginError } from './plugin-error.js'

/** A plugin with its parsed options. */
export interface ConfiguredPlugin {
  plugin: Plugin
  options: Record<string, unknown>
}

export interface StartedPlugin {
  name: string
  hooks: Hooks
}

/** See `Plugin.isSingleProcess`. */
export const isSingleProcess = ({ plugin, options }: ConfiguredPlugin): boolean =>
  plugin.isSingleProcess?.(options) ?? false

export const toPluginContext = (
  { dataDir, publicUrl, role }: AppSettings,
  { log, clock }: { log: Log; clock: Clock },
): PluginContext => ({ log, dataDir: resolve(dataDir), publicUrl, role, clock: { now: clock.now } })

/**
 * Adds each plugin to `started` once it runs, so that the caller can close these after an error. Throws PluginError.
 */
export async function startPlugins(
  plugins: ConfiguredPlugin[],
  context: PluginContext,
  started: StartedPlugin[],
): Promise<void> {
  for (const { plugin, options } of plugins) {
    const hooks = await runPluginStart(plugin.name, async () => plugin.setup(options, context))
    started.push({ name: plugin.name, hooks: hooks ?? {} })
  }
}

/** Throws PluginError with the name of the plugin when `work` fails. */
export async function runPluginStart<Result>(plugin: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PluginError(`Plugin "${plugin}" did not start: ${reason}`, { cause })
  }
}

/** The last plugin first. Empties the list, so that nothing is closed twice. */
export const listPluginSteps = (started: StartedPlugin[]): CloseStep[] =>
  started
    .splice(0)
    .reverse()
    .map(({ name, hooks }) => ({ name, close: async () => hooks.close?.() }))
