/** Instance settings that a plugin declares. */
import { type PluginSetting, readPluginSettings } from '../settings/plugin-setting-schemas.js'
import type { Plugin } from './plugin.js'
import { PluginError } from './plugin-error.js'

/** Throws PluginError for an invalid setting. */
export function listPluginSettings(plugin: Plugin): PluginSetting[] {
  try {
    return readPluginSettings(plugin)
  } catch (cause) {
    throw new PluginError(`Plugin "${plugin.name}" ${(cause as Error).message}.`, { cause })
  }
}
