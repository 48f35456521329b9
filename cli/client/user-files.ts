/** This user's own files: the client's config, and the tokens that `mayfly login` keeps. */
import { isAbsolute, join } from 'node:path'
import { homeFolder, type Io } from '../output/io.js'

/** Where it is, or would be; null for a user without a home, as in a container that runs under any number. */
export function getUserFile(name: string, io: Io): string | null {
  const { XDG_CONFIG_HOME: chosen = '' } = io.env
  const folder = isAbsolute(chosen) ? chosen : join(homeFolder(io), '.config')
  return isAbsolute(folder) ? join(folder, 'mayfly', name) : null
}
