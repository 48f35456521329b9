import { resolve } from 'node:path'
import type { CoreSettings } from '#config'
import type { ConfiguredPlugin } from '#core/runtime'

interface FilesConfig {
  settings: Pick<CoreSettings, 'files' | 'dataDir'>
  plugins: ConfiguredPlugin[]
}

/** Returns the folder of the plugin `local-files`; null when the instance uses another file store, or none. */
export function getFilesFolder({ plugins, settings }: FilesConfig): string | null {
  const local = plugins.find(({ plugin }) => plugin.name === 'local-files')
  return settings.files === 'local-files' && local ? resolve(settings.dataDir, String(local.options.folder)) : null
}
