/**
 * The folder: a blob is at `ab/abcdef...`, so that no folder grows too long, and what is being written is in `tmp`.
 * Both are on one file system, which makes a rename atomic. A link that somebody planted is not followed out of here.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const PRIVATE = 0o700
const FANOUT = /^[a-z0-9]{2}(?![\s\S])/

export interface Folder {
  root: string
  /** Where unfinished files are. While it is there, so are the others: see `isMissing` in store.ts. */
  tmp: string
}

/** Makes it where it is missing; one that is there keeps its mode. Throws an Error of one sentence when it cannot be used. */
export async function openFolder(path: string): Promise<Folder> {
  await mkdir(path, { recursive: true, mode: PRIVATE })
  const root = await realpath(path)
  const tmp = join(root, 'tmp')
  await makeFolder(tmp)
  await Promise.all([syncFolder(root), syncFolder(dirname(root))])
  const [here, there] = await Promise.all([lstat(root), lstat(tmp)])
  if (here.dev !== there.dev) throw new Error(`${tmp} is on another file system than ${root}.`)
  return { root, tmp }
}

/** The folder of a blob, which may not be there. Throws when something else is in its place. */
export async function folderOf({ root }: Folder, key: string): Promise<string> {
  const path = join(root, key.slice(0, 2))
  await checkFolder(path)
  return path
}

/** The same, made where it is missing. */
export async function madeFolderOf({ root }: Folder, key: string): Promise<string> {
  const path = join(root, key.slice(0, 2))
  if (await makeFolder(path)) await syncFolder(root)
  return path
}

/** The paths of those that are there. */
export async function fanoutsOf({ root }: Folder): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  return entries.filter((each) => each.isDirectory() && FANOUT.test(each.name)).map(({ name }) => join(root, name))
}

/** Returns once the names in it will survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  await handle.sync().finally(() => handle.close())
}

/** Opens a file for reading: neither a link, nor a pipe on which opening would wait for ever. */
export async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!(await handle.stat()).isFile()) throw notOurs()
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** True when it was not there before. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: PRIVATE })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await checkFolder(path)
    return false
  }
}

async function checkFolder(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) throw notOurs()
}

/** Looks like what the file system itself fails with, because it means the same. */
const notOurs = () => Object.assign(new Error('what is here is not ours'), { code: 'ENOTDIR', syscall: 'lstat' })
