import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents; an existing folder keeps its mode. Rejects with the error of the file
 * system, which names the folder. `mkdir` of Node.js with `recursive` never ends where a file system refuses new
 * folders with ENOENT, as /proc does.
 */
export async function createFolder(path: string, mode = 0o700): Promise<void> {
  const error = await tryCreate(path, mode)
  if (error === null) return
  const parent = dirname(path)
  if (error.code !== 'ENOENT' || parent === path) throw error
  await createFolder(parent, mode)
  const second = await tryCreate(path, mode)
  if (second !== null) throw second
}

/** Returns null when the folder exists afterwards. */
async function tryCreate(path: string, mode: number): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path, { mode })
    return null
  } catch (error) {
    const found = await stat(path).catch(() => null)
    return found?.isDirectory() ? null : (error as NodeJS.ErrnoException)
  }
}
