import { randomUUID } from 'node:crypto'
import { access, constants, lstat, open, readdir, rename, statfs, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  AppError,
  assertStreamLength,
  checkBlobKey,
  type FileStore,
  isAppError,
  isBlobKey,
  type Log,
  OperatorError,
  type StoredBlob,
} from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import { type BlobFolder, ensureShard, findShard, listShards, openFile, syncFolder } from './blob-folder.js'

interface LocalFiles {
  folder: BlobFolder
  /** undefined: the larger of `MIN_FREE` and `MIN_FREE_SHARE` of the disk. */
  minFreeBytes: number | undefined
  log: Log
}

const MIN_FREE = 2 ** 30
const MIN_FREE_SHARE = 0.05
const DISK_FULL = ['ENOSPC', 'EDQUOT']

export function createLocalFileStore(files: LocalFiles): FileStore {
  const { folder, log } = files
  return {
    location: folder.root,
    put: (key, body, size) => putBlob(files, key, body, size),
    get: (key) => getBlob(files, key),
    delete: (key) => deleteBlob(files, key),
    async *list() {
      for (const shard of await translateErrors(log, 'list', () => listShards(folder))) {
        yield* await translateErrors(log, 'list', () => listBlobs(shard))
      }
    },
    deleteUnfinished: (before) => translateErrors(log, 'delete unfinished', () => deleteUnfinished(folder, before)),
    ping: () => translateErrors(log, 'ping', () => access(folder.tmp, constants.W_OK)),
  }
}

async function putBlob(files: LocalFiles, key: string, body: Readable, size: number): Promise<void> {
  const { folder, log } = files
  checkBlobKey(key)
  const store = async () => {
    await assertFreeSpace(files)
    const unfinished = await writeUnfinished(folder, body, size)
    try {
      const shard = await ensureShard(folder, key)
      await rename(unfinished, join(shard, key))
      await syncFolder(shard)
    } catch (error) {
      await unlink(unfinished).catch(() => {})
      throw error
    }
  }
  await translateErrors(log, 'put', store, body)
}

async function getBlob({ folder, log }: LocalFiles, key: string): Promise<Readable> {
  checkBlobKey(key)
  return translateErrors(log, 'get', async () => {
    try {
      const handle = await openFile(join(await findShard(folder, key), key))
      return handle.createReadStream()
    } catch (error) {
      throw (await isMissing(folder, error)) ? new AppError('file.not_found') : error
    }
  })
}

async function deleteBlob({ folder, log }: LocalFiles, key: string): Promise<void> {
  checkBlobKey(key)
  await translateErrors(log, 'delete', async () => {
    try {
      await unlink(join(await findShard(folder, key), key))
    } catch (error) {
      if (!(await isMissing(folder, error))) throw error
    }
  })
}

/** Translates file system errors to AppErrors. Errors of `body` stay unchanged. */
async function translateErrors<T>(log: Log, method: string, work: () => Promise<T>, body?: Readable): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isSystemError(error) || error === body?.errored) throw error
    log.warn('file store failed', { method, error: error.code })
    throw new AppError(DISK_FULL.includes(error.code) ? 'file.no_space' : 'file.unavailable', {}, { cause: error })
  }
}

async function assertFreeSpace({ folder, minFreeBytes }: LocalFiles): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder.tmp)
  const required = minFreeBytes ?? Math.max(MIN_FREE, blocks * bsize * MIN_FREE_SHARE)
  if (bavail * bsize >= required) return
  const hint = 'free space on the disk of the files, or lower local-files.minFreeBytes'
  const cause = new OperatorError(`less than ${required} bytes are free`, { hint })
  throw new AppError('file.no_space', {}, { cause })
}

/**
 * True when a file does not exist. Throws when the folder does not exist either: then the disk is probably not mounted.
 */
async function isMissing(folder: BlobFolder, error: unknown): Promise<boolean> {
  if (!isSystemError(error) || error.code !== 'ENOENT') return false
  await lstat(folder.tmp)
  return true
}

/** Writes the body to a new file in `tmp` and syncs it; returns its path. On failure the file is removed. */
async function writeUnfinished({ tmp }: BlobFolder, body: Readable, size: number): Promise<string> {
  const path = join(tmp, randomUUID())
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of assertStreamLength(body, size)) await handle.writeFile(chunk)
    await handle.sync()
    await handle.close()
    return path
  } catch (error) {
    await handle.close().catch(() => {})
    await unlink(path).catch(() => {})
    throw error
  }
}

/** Deletes unfinished files whose last write was before `before`. */
async function deleteUnfinished({ tmp }: BlobFolder, before: EpochMs): Promise<void> {
  for (const path of await listFiles(tmp)) {
    const modifiedAt = await readModifiedAt(path)
    if (modifiedAt !== null && modifiedAt < before) await unlink(path)
  }
}

async function listBlobs(shard: string): Promise<StoredBlob[]> {
  const blobs: StoredBlob[] = []
  for (const path of await listFiles(shard)) {
    const key = basename(path)
    if (!isBlobKey(key) || !key.startsWith(basename(shard))) continue
    const modifiedAt = await readModifiedAt(path)
    if (modifiedAt !== null) blobs.push({ key, modifiedAt })
  }
  return blobs
}

/** The paths of the regular files in a folder, without symbolic links. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name))
}

/** Null for a file that was deleted meanwhile. */
async function readModifiedAt(path: string): Promise<EpochMs | null> {
  try {
    return (await lstat(path)).mtimeMs
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null
    throw error
  }
}

const isSystemError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error && !isAppError(error)
