import { safeFileName, safeUnixFileName } from '#shared/file-name'

/**
 * Returns the name of a saved file that the user did not name, and never a hidden one. Shells and other programs run or
 * read hidden files such as `.bash_profile` on their own, so the name of the sender gets `_` in front. Only Windows has
 * device names.
 */
export function toLocalFileName(name: string, platform: string = process.platform): string {
  const safe = platform === 'win32' ? safeFileName(name) : safeUnixFileName(name)
  return safe.startsWith('.') ? `_${safe}` : safe
}
