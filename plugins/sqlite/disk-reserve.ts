/**
 * Reserved disk space for a full disk. While it cannot be allocated, the storage refuses new data. Existing secrets can
 * then still be viewed, acknowledged, burned and deleted, all of which need space to write.
 */
import { randomFill } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Knex } from 'knex'
import { AppError, isAppError, type Storage } from '#core'

/**
 * In bytes. The write-ahead log grows to 1000 pages of 4 kB until a checkpoint, and by the pages of one more
 * transaction, which is up to 1.5 MB when it wipes a large text.
 */
const SIZE = 6 * 2 ** 20
const CHUNK = 2 ** 18
/** How long a reserve that exists is not checked again, in ms. Another process may have released it meanwhile. */
const CHECK_INTERVAL_MS = 1000

export interface DiskReserve {
  /** Allocates the reserve if necessary. True when new data may be accepted. Concurrent calls share one allocation. */
  ensure(): Promise<boolean>
  release(): Promise<void>
}

/** The file of the reserve of a database. */
export const nameReserve = (filename: string): string => `${filename}-reserve`

/** Uses a file beside the database, which all processes on the database share. */
export function createDiskReserve(filename: string, db: Knex): DiskReserve {
  const file = nameReserve(filename)
  /** Value of `performance.now()` until which the reserve counts as allocated. */
  let checkedUntil = 0
  let running: Promise<boolean> | null = null

  async function release(): Promise<void> {
    checkedUntil = 0
    await rm(file, { force: true })
  }

  async function isAllocated(): Promise<boolean> {
    if ((await stat(file).catch(() => null))?.size !== SIZE) return false
    checkedUntil = performance.now() + CHECK_INTERVAL_MS
    return true
  }

  async function check(): Promise<boolean> {
    if (await isAllocated()) return true
    const free = await freeDiskBytes(dirname(filename))
    if (free < 1.5 * SIZE) return free >= SIZE / 2 && (await freeDatabaseBytes(db)) >= SIZE
    return allocate(file).then(
      () => true,
      () => release().then(() => false),
    )
  }

  return {
    async ensure() {
      if (performance.now() < checkedUntil) return true
      running ??= check().finally(() => {
        running = null
      })
      return running
    },
    release,
  }
}

async function freeDiskBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** SQLite does not return the space of deleted data to the disk, but reuses it. */
async function freeDatabaseBytes(db: Knex): Promise<number> {
  const [{ freelist_count: pages }] = await db.raw('PRAGMA freelist_count')
  const [{ page_size: size }] = await db.raw('PRAGMA page_size')
  return pages * size
}

const fillRandomly = promisify<Uint8Array, Uint8Array>(randomFill)

/** Writes random bytes, because some file systems compress. */
async function allocate(file: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  const chunk = Buffer.allocUnsafe(CHUNK)
  try {
    for (let written = 0; written < SIZE; written += CHUNK) {
      await fillRandomly(chunk)
      await handle.write(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Decorates a storage: methods that add data require the reserve, the others may use it up. */
export function withReserve(storage: Storage, reserve: DiskReserve): Storage {
  const { secrets, attachments, users, sessions, tokens, audit, settings } = storage
  return {
    ...storage,
    secrets: {
      ...guardStore(secrets, ['create'], reserve),
      deleteExpired: guardCleanup(secrets.deleteExpired, reserve),
    },
    attachments: guardStore(attachments, ['reserve'], reserve),
    users: guardStore(users, ['create', 'link'], reserve),
    // Sessions and audit entries are small, and administrators need them to free space.
    sessions: guardStore(sessions, [], reserve),
    tokens: guardStore(tokens, ['create'], reserve),
    audit: guardStore(audit, [], reserve),
    settings: guardStore(settings, [], reserve),
  }
}

type Method = (...args: never[]) => Promise<unknown>

/** `growing`: the methods that add data. */
function guardStore<Store extends object>(store: Store, growing: (keyof Store)[], reserve: DiskReserve): Store {
  const methods = Object.entries(store as Record<string, Method>).map(([name, run]) => [
    name,
    async (...args: never[]) => {
      const isGrowing = growing.includes(name as keyof Store)
      if (isGrowing && !(await reserve.ensure())) throw new AppError('storage.full')
      return run(...args).catch(async (error) => {
        if (!isAppError(error, 'storage.full')) throw error
        await reserve.release()
        if (isGrowing) throw error
        return run(...args)
      })
    },
  ])
  return Object.fromEntries(methods) as Store
}

/** On a full disk, deletes secrets one at a time, because deleting many needs more space than deleting one. */
function guardCleanup(
  deleteExpired: Storage['secrets']['deleteExpired'],
  reserve: DiskReserve,
): Storage['secrets']['deleteExpired'] {
  return (input) =>
    deleteExpired(input).catch(async (error) => {
      if (!isAppError(error, 'storage.full')) throw error
      await reserve.release()
      return deleteExpired({ ...input, limit: 1 })
    })
}
