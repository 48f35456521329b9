/**
 * Layout on the disk: the blob `abcdef...` is in the shard folder `ab`, which keeps folders small. Unfinished files are
 * in `tmp`, on the same file system, so that a rename is atomic. Symbolic links are never followed.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createFolder } from '#core'

const OWNER_ONLY = 0o700
const SHARD_NAME = /^[a-z0-9]{2}(?![\s\S])/

export interface BlobFolder {
  root: string
  /** Folder of unfinished files. While it exists, the disk is mounted: see `isMissing` in local-file-store.ts. */
  tmp: string
}

/**
 * Creates the folder if necessary; an existing folder keeps its mode. Throws an Error of one sentence when it cannot be
 * used.
 */
export async function openBlobFolder(path: string): Promise<BlobFolder> {
  await createFolder(path)
  const root = await realpath(path)
  const tmp = join(root, 'tmp')
  await ensureFolder(tmp)
  await Promise.all([syncFolder(root), syncFolder(dirname(root))])
  const [rootStat, tmpStat] = await Promise.all([lstat(root), lstat(tmp)])
  if (rootStat.dev !== tmpStat.dev) throw new Error(`${tmp} is on another file system than ${root}.`)
  return { root, tmp }
}

/** The shard folder of a blob. Throws when it does not exist or is not a folder. */
export async function findShard({ root }: BlobFolder, key: string): Promise<string> {
  const path = join(root, key.slice(0, 2))
  await assertFolder(path)
  return path
}

/** The shard folder of a blob, created if necessary. */
export async function ensureShard({ root }: BlobFolder, key: string): Promise<string> {
  const path = join(root, key.slice(0, 2))
  if (await ensureFolder(path)) await syncFolder(root)
  return path
}

/** The paths of the existing shard folders. */
export async function listShards({ root }: BlobFolder): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && SHARD_NAME.test(entry.name))
    .map(({ name }) => join(root, name))
}

/** Resolves when the entries of the folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  await handle.sync().finally(() => handle.close())
}

/** Opens a regular file for reading. Throws for a symbolic link, and for a named pipe, which could block forever. */
export async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!(await handle.stat()).isFile()) throw unexpectedType()
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** True when it was created. */
async function ensureFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: OWNER_ONLY })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await assertFolder(path)
    return false
  }
}

async function assertFolder(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) throw unexpectedType()
}

/** Has the form of a file system error, so that it is handled like one. */
const unexpectedType = () =>
  Object.assign(new Error('neither a folder nor a regular file'), { code: 'ENOTDIR', syscall: 'lstat' })
