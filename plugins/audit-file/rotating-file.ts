/** A text file that is renamed when it is full. Several processes may append to it. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { createFolder } from '#core'

interface Options {
  /** Absolute. */
  path: string
  /** Size at which a new file is started. */
  maxBytes: number
  /** Number of older files to keep. */
  keepFiles: number
}

export interface RotatingFile {
  /** Appends whole lines. After a failure the lines may be there in part; the next ones start in a new line. */
  append(lines: string): Promise<void>
  /** Creates the folder and the file, if they are missing. Rejects when the file is not writable. */
  check(): Promise<void>
}

/**
 * Opens the file for each append, because it or its folder may be moved at any time, for example by another process.
 */
export function createRotatingFile({ path, maxBytes, keepFiles }: Options): RotatingFile {
  /** A failed write may have left a part of a line. */
  let isTorn = false

  return {
    async append(lines) {
      const data = Buffer.from(isTorn ? `\n${lines}` : lines)
      const file = await openForWrite(path, maxBytes - data.length, keepFiles)
      try {
        isTorn = true
        // Resolves when all is written, in one system call unless the disk is full.
        await file.appendFile(data)
        isTorn = false
      } finally {
        await file.close()
      }
    },
    async check() {
      const file = await openPrivate(path)
      await file.close()
    },
  }
}

/** Starts a new file when the current one has more than `maxSize` bytes. */
async function openForWrite(path: string, maxSize: number, keepFiles: number): Promise<FileHandle> {
  const file = await openPrivate(path)
  const { size, ino } = await file.stat()
  if (size === 0 || size <= maxSize) return file
  await file.close()
  // Another process may have renamed it in the meantime.
  const current = await stat(path).catch(() => null)
  if (current?.ino === ino) {
    await rename(path, rotatedName(path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await deleteOldest(path, keepFiles)
  }
  return openPrivate(path)
}

/** Creates the file with mode 0600, and its folder with mode 0700. */
async function openPrivate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await createFolder(dirname(path))
    return open(path, 'a', 0o600)
  }
}

let lastRotationMs = 0

/** Such as `audit.20260131T120000123Z-1a2b3c.ndjson`: names sort by time, and are unique across processes. */
function rotatedName(path: string): string {
  const extension = extname(path)
  // A file that is full within the same millisecond gets the next millisecond, because the order of the names decides
  // which files are deleted.
  lastRotationMs = Math.max(Date.now(), lastRotationMs + 1)
  const time = new Date(lastRotationMs).toISOString().replace(/[-:.]/g, '')
  return join(dirname(path), `${basename(path, extension)}.${time}-${randomBytes(3).toString('hex')}${extension}`)
}

async function deleteOldest(path: string, keepFiles: number): Promise<void> {
  const extension = extname(path)
  const start = `${basename(path, extension)}.`
  const isRotated = (name: string) =>
    name.startsWith(start) &&
    name.endsWith(extension) &&
    /^\d{8}T\d{9}Z-[0-9a-f]{6}$/.test(name.slice(start.length, name.length - extension.length))
  const rotated = (await readdir(dirname(path))).filter(isRotated).sort()
  const oldest = rotated.slice(0, Math.max(0, rotated.length - keepFiles))
  await Promise.all(oldest.map((name) => rm(join(dirname(path), name), { force: true })))
}
