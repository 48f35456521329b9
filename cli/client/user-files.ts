/** Paths of the user's files: client config and stored tokens. */
import { isAbsolute, join } from 'node:path'
import { homeFolder, type Io } from '../output/io.js'

/** Returns the path of a file in the config folder; null for a user without a home folder, as in some containers. */
export function getUserFilePath(name: string, io: Io): string | null {
  const { XDG_CONFIG_HOME: chosen = '' } = io.env
  const folder = isAbsolute(chosen) ? chosen : join(homeFolder(io), '.config')
  return isAbsolute(folder) ? join(folder, 'mayfly', name) : null
}
