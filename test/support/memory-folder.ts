import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SHARED_MEMORY = '/dev/shm'
/** Containers often have only 64 MiB of shared memory. */
const MIN_FREE_BYTES = 512 * 2 ** 20

/**
 * Makes a temporary folder in memory if the machine has enough, otherwise on the disk. For SQLite databases of tests
 * that do not cut the power: every commit on a disk waits some milliseconds for the disk.
 */
export async function makeMemoryFolder(prefix: string): Promise<string> {
  const { bavail, bsize } = await statfs(SHARED_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return mkdtemp(join(bavail * bsize > MIN_FREE_BYTES ? SHARED_MEMORY : tmpdir(), prefix))
}
