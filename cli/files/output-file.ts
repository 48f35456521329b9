/** Writes output files: mode 0600, atomic, and never over an existing file without confirmation. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, lstat, open, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CliError } from '../lib/cli-error.js'
import { onExit } from '../lib/signals.js'
import { type Io, resolvePath } from '../output/io.js'

export interface Output {
  write(bytes: string | Uint8Array): Promise<void>
  /** Syncs the file and renames it to its final name. Without this call no file remains. */
  close(): Promise<void>
}

/**
 * Opens a file for writing, or stdout for undefined and `-`. Reserves the name at once, so that an unwritable path is reported
 * before a view is used. Throws CliError `usage`.
 */
export async function openOutput(named: string | undefined, yes: boolean | undefined, io: Io): Promise<Output> {
  if (named === undefined || named === '-') return { write: (bytes) => io.write(bytes), close: async () => {} }
  const path = resolvePath(io, named)
  const isReplaced = await checkTarget(path, yes, io)
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`)
  const file = await createFile(temporary)
  let leftovers = [temporary]
  onExit(io.cleanup, () => {
    for (const leftover of leftovers) rmSync(leftover, { force: true })
    void file.close()
  })
  if (!isReplaced) {
    await (await createFile(path)).close()
    leftovers.push(path)
  }
  return {
    write: (bytes) => file.writeFile(bytes),
    async close() {
      await file.sync()
      await file.close()
      await rename(temporary, path)
      leftovers = []
    },
  }
}

/** Returns true when the file exists and may be replaced. */
async function checkTarget(path: string, yes: boolean | undefined, io: Io): Promise<boolean> {
  const target = await lstat(path).catch(() => null)
  if (!target) return false
  if (!target.isFile()) throw new CliError('usage', '--output is not a file', 'choose another name')
  if (yes || (io.canPrompt && (await io.confirm('The output file exists. Replace it?', false)))) return true
  throw new CliError('usage', '--output exists already', 'choose another name, or replace it with --yes')
}

async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    throw new CliError('usage', `cannot write --output: ${(error as NodeJS.ErrnoException).code}`)
  }
}
