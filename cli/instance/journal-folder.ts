import { resolve } from 'node:path'
import type { InstanceConfig } from './instance-config.js'

/** Where the plugin `tombstones` writes; null when it is off. */
export function getJournalFolder({ plugins, settings }: InstanceConfig): string | null {
  const found = plugins.find(({ plugin }) => plugin.name === 'tombstones')
  return found ? resolve(settings.dataDir, String(found.options.folder)) : null
}
