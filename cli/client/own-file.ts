/** This user's own files: the client's config, and the tokens that `mayfly login` keeps. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Where it is, or would be; null for a user without a home, as in a container that runs under any number. */
export function ownFile(name: string): string | null {
  const { XDG_CONFIG_HOME: chosen = '' } = process.env
  const folder = isAbsolute(chosen) ? chosen : join(home(), '.config')
  return isAbsolute(folder) ? join(folder, 'mayfly', name) : null
}

/** Empty when the system knows none. */
function home(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}
