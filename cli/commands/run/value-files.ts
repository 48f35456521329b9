/** Private files with the values of `--as-file`, until the command ends. */
import { rmSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { onExit } from '../../lib/signals.js'
import { type Io, temporaryFolder } from '../../output/io.js'
import { toWriteError, writeAll } from '../../output/write-all.js'

export interface ValueFolder {
  /** Writes a value to a file with mode 0600 and returns its path. Throws CliError `not_written`. */
  write(name: string, bytes: Uint8Array): Promise<string>
  /** Removes the files. */
  remove(): Promise<void>
}

/** The folder is created for the first value. It is in XDG_RUNTIME_DIR, which is in memory, or else in TMPDIR. */
export function createValueFolder(io: Io): ValueFolder {
  const { XDG_RUNTIME_DIR: runtime = '' } = io.env
  let folder: string | null = null
  onExit(io.cleanup, () => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  })
  return {
    async write(name, bytes) {
      try {
        folder ??= await mkdtemp(join(isAbsolute(runtime) ? runtime : temporaryFolder(io), 'mayfly-run-'))
        const path = join(folder, name)
        const file = await open(path, 'wx', 0o600)
        await writeAll(file.fd, bytes).finally(() => file.close())
        return path
      } catch (error) {
        throw toWriteError(error, `the file of ${name}`)
      }
    },
    async remove() {
      if (folder !== null) await rm(folder, { recursive: true, force: true })
      folder = null
    },
  }
}
