import { resolve } from 'node:path'
import type { InstanceConfig } from './instance-config.js'

/** Returns the folder of the plugin `local-files`; null when the instance uses another file store, or none. */
export function getFilesFolder({ plugins, settings }: InstanceConfig): string | null {
  const local = plugins.find(({ plugin }) => plugin.name === 'local-files')
  return settings.files === 'local-files' && local ? resolve(settings.dataDir, String(local.options.folder)) : null
}
