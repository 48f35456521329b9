import { resolve } from 'node:path'
import type { InstanceConfig } from './instance-config.js'

/** Returns the folder of the plugin `tombstones`; null when the plugin is off. */
export function getJournalFolder({ plugins, settings }: InstanceConfig): string | null {
  const tombstones = plugins.find(({ plugin }) => plugin.name === 'tombstones')
  return tombstones ? resolve(settings.dataDir, String(tombstones.options.folder)) : null
}
