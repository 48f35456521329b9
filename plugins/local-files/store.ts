import { randomUUID } from 'node:crypto'
import { access, constants, lstat, open, readdir, rename, statfs, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  AppError,
  checkBlobKey,
  exactly,
  type FileStore,
  isAppError,
  isBlobKey,
  type Log,
  type StoredBlob,
} from '#core'
import { type Folder, fanoutsOf, folderOf, madeFolderOf, openFile, syncFolder } from './folder.js'

interface How {
  /** undefined: MIN_FREE, or MIN_FREE_SHARE of the disk if that is more. */
  minFreeBytes: number | undefined
  log: Log
}

const MIN_FREE = 2 ** 30
const MIN_FREE_SHARE = 0.05
const FULL = ['ENOSPC', 'EDQUOT']

export function localFiles(folder: Folder, { minFreeBytes, log }: How): FileStore {
  /** Runs `work`; what the file system fails with becomes what it means to a caller. `body` fails with its own error. */
  async function attempt<T>(call: string, work: () => Promise<T>, body?: Readable): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isSystemError(error) || error === body?.errored) throw error
      log.warn('the folder of files failed', { call, error: error.code })
      throw new AppError(FULL.includes(error.code) ? 'file.no_space' : 'file.unavailable', {}, { cause: error })
    }
  }

  async function checkRoom(): Promise<void> {
    const { bavail, blocks, bsize } = await statfs(folder.tmp)
    const least = minFreeBytes ?? Math.max(MIN_FREE, blocks * bsize * MIN_FREE_SHARE)
    if (bavail * bsize < least) throw new AppError('file.no_space')
  }

  /** A file is certainly missing only where the folder is: a disk that is not mounted is another matter. */
  async function isMissing(error: unknown): Promise<boolean> {
    if (!isSystemError(error) || error.code !== 'ENOENT') return false
    await lstat(folder.tmp)
    return true
  }

  return {
    location: folder.root,

    async put(key, body, size) {
      checkBlobKey(key)
      const store = async () => {
        await checkRoom()
        const written = await write(folder, body, size)
        try {
          const at = await madeFolderOf(folder, key)
          await rename(written, join(at, key))
          await syncFolder(at)
        } catch (error) {
          await unlink(written).catch(() => {})
          throw error
        }
      }
      await attempt('put', store, body)
    },

    async get(key) {
      checkBlobKey(key)
      return attempt('get', async () => {
        try {
          const handle = await openFile(join(await folderOf(folder, key), key))
          return handle.createReadStream()
        } catch (error) {
          throw (await isMissing(error)) ? new AppError('file.not_found') : error
        }
      })
    },

    async delete(key) {
      checkBlobKey(key)
      await attempt('delete', async () => {
        try {
          await unlink(join(await folderOf(folder, key), key))
        } catch (error) {
          if (!(await isMissing(error))) throw error
        }
      })
    },

    async *list() {
      for (const path of await attempt('list', () => fanoutsOf(folder))) {
        yield* await attempt('list', () => blobsIn(path))
      }
    },

    async tidy(before) {
      await attempt('tidy', async () => {
        for (const path of await filesIn(folder.tmp)) {
          const modifiedAt = await modifiedAtOf(path)
          if (modifiedAt !== null && modifiedAt < before) await unlink(path)
        }
      })
    },

    ping: () => attempt('ping', () => access(folder.tmp, constants.W_OK)),
  }
}

/** The body on the disk, under a name in `tmp` that it answers; all of it, or nothing. */
async function write({ tmp }: Folder, body: Readable, size: number): Promise<string> {
  const path = join(tmp, randomUUID())
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of exactly(body, size)) await handle.writeFile(chunk)
    await handle.sync()
    await handle.close()
    return path
  } catch (error) {
    await handle.close().catch(() => {})
    await unlink(path).catch(() => {})
    throw error
  }
}

async function blobsIn(fanout: string): Promise<StoredBlob[]> {
  const blobs: StoredBlob[] = []
  for (const path of await filesIn(fanout)) {
    const key = basename(path)
    if (!isBlobKey(key) || !key.startsWith(basename(fanout))) continue
    const modifiedAt = await modifiedAtOf(path)
    if (modifiedAt !== null) blobs.push({ key, modifiedAt })
  }
  return blobs
}

/** Paths; links are not followed, and not in it. */
async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(path, name))
}

/** Epoch ms; null for what has gone meanwhile. */
async function modifiedAtOf(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).mtimeMs
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null
    throw error
  }
}

const isSystemError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error && !isAppError(error)
