/** Removes the files of checks that write. */
import { existsSync } from 'node:fs'
import { rmdir, stat, unlink } from 'node:fs/promises'

/**
 * Runs `work` and removes the `paths` that it created: empty folders, empty files and disk reserves. Inner paths come
 * first. Files that a running server uses exist already.
 */
export async function removeCreatedFiles<T>(paths: string[], work: () => Promise<T>): Promise<T> {
  const missing = paths.filter((path) => !existsSync(path))
  try {
    return await work()
  } finally {
    for (const path of missing) await remove(path).catch(() => {})
  }
}

async function remove(path: string): Promise<void> {
  const found = await stat(path)
  if (found.isDirectory()) await rmdir(path)
  else if (found.size === 0 || path.endsWith('-reserve')) await unlink(path)
}
