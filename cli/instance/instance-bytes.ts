import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Of the disk of the files: the database, backups and logs need the rest. */
const DISK_SHARE = 1 / 2
const AUTO_MAX = 10 * 2 ** 30

/**
 * Resolves the setting `instanceBytes`. `auto`: half of the disk of `folder`, at most 10 GiB. `folder`: of the files;
 * null: they are not on a disk of this machine.
 */
export async function resolveInstanceBytes(
  setting: number | 'auto' | null,
  folder: string | null,
): Promise<number | null> {
  if (setting !== 'auto') return setting
  const size = folder === null ? null : await readDiskSize(folder)
  return size === null ? AUTO_MAX : Math.min(AUTO_MAX, Math.floor(size * DISK_SHARE))
}

/** In bytes, of the disk that has the folder or will have it. Null when it is unknown. */
async function readDiskSize(folder: string): Promise<number | null> {
  for (let path = folder; ; path = dirname(path)) {
    const found = await statfs(path).catch(() => null)
    if (found && found.blocks > 0) return found.blocks * found.bsize
    if (found || path === dirname(path)) return null
  }
}
