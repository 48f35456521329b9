import { resolve } from 'node:path'
import type { Boot } from './boot.js'

/** Where the plugin `tombstones` writes; null when it is off. */
export function journalFolder({ plugins, settings }: Boot): string | null {
  const found = plugins.find(({ plugin }) => plugin.name === 'tombstones')
  return found ? resolve(settings.dataDir, String(found.options.folder)) : null
}
