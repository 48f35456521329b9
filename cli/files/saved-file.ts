/**
 * Saves a downloaded file: under a temporary name until it is complete, with mode 0600, never over an existing file.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { createFolder } from '#core/lib/create-folder'
import { CliError } from '../lib/cli-error.js'
import { onExit } from '../lib/signals.js'
import { type Io, resolvePath } from '../output/io.js'
import { toWriteError, writeAll } from '../output/write-all.js'
import { toLocalFileName } from './local-file-name.js'
import { syncFolder } from './output-file.js'

export interface SavedFile {
  /** Throws CliError `not_written`. */
  write(bytes: Uint8Array): Promise<void>
  /**
   * Syncs it and renames it to its name, or to `name (1)` if that exists, and returns the path. Throws CliError
   * `not_written`.
   */
  commit(): Promise<string>
  /** Removes the temporary file. */
  discard(): Promise<void>
}

/** Creates the folder if missing and checks that it is writable. Throws CliError `usage`. */
export async function checkFolderWritable(folder: string, io: Io): Promise<void> {
  const at = resolvePath(io, folder)
  try {
    await createFolder(at)
    const trial = join(at, `.mayfly-${randomBytes(4).toString('hex')}`)
    await (await open(trial, 'wx', 0o600)).close()
    await rm(trial)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const hint = 'the secret was not used up; choose another folder with --out-dir'
    throw new CliError('usage', `cannot save files in ${folder}: ${code}`, hint)
  }
}

/** `name`: as the sender chose it, unsafe. */
export async function createSavedFile(folder: string, name: string, io: Io): Promise<SavedFile> {
  const safe = toLocalFileName(name)
  const at = resolvePath(io, folder)
  const temporary = join(at, `.${safe}.${randomBytes(4).toString('hex')}`)
  const file = await reportFailure(open(temporary, 'wx', 0o600))
  let isThere = true
  onExit(io.cleanup, () => {
    if (isThere) rmSync(temporary, { force: true })
  })
  return {
    write: (bytes) => reportFailure(writeAll(file.fd, bytes)),
    commit: () =>
      reportFailure(
        (async () => {
          await file.sync()
          await file.close()
          const reserved = await reserveName(at, safe)
          await rename(temporary, join(at, reserved)).catch(async (error) => {
            await rm(join(at, reserved), { force: true })
            throw error
          })
          isThere = false
          await syncFolder(at)
          return join(folder, reserved)
        })(),
      ),
    async discard() {
      await file.close().catch(() => {})
      await rm(temporary, { force: true })
      isThere = false
    },
  }
}

const reportFailure = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw toWriteError(error, 'the file')
  })

/** Creates an empty file under the first free name, so that no other process takes it, and returns the name. */
async function reserveName(folder: string, name: string): Promise<string> {
  const { name: stem, ext } = parse(name)
  for (let count = 0; ; count++) {
    const free = count === 0 ? name : `${stem} (${count})${ext}`
    try {
      await (await open(join(folder, free), 'wx', 0o600)).close()
      return free
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
