/** A file system of a few MiB in memory, so that a test can fill it up. Needs `mount`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  folder: string
  unmount(): void
}

/** `inodes`: most files and folders; without it, as many as fit. */
export function mountSmallDisk(bytes: number, inodes?: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-full-'))
  const size = inodes === undefined ? `size=${bytes}` : `size=${bytes},nr_inodes=${inodes}`
  execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder])
  return {
    folder,
    unmount() {
      // Detached at once: a file that is still being closed must not make it fail.
      execFileSync('umount', ['--lazy', folder])
      rmdirSync(folder)
    },
  }
}
