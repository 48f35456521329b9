import { safeFileName } from '#shared/file-name'

/**
 * Returns the name of a saved file that the user did not name: as `safeFileName`, and never hidden. Shells and other programs
 * run or read hidden files such as `.bash_profile` on their own, so the name of the sender gets `_` in front.
 */
export function toLocalFileName(name: string): string {
  const safe = safeFileName(name)
  return safe.startsWith('.') ? `_${safe}` : safe
}
