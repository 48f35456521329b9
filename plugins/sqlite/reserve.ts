/**
 * Room on the disk that is kept for the day it is full. Until it can be set aside again nothing new is taken in, so that
 * whatever is there can still be viewed, acknowledged, burned and swept: all of that has to write.
 */
import { randomBytes } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Knex } from 'knex'
import { AppError, isAppError, type Storage } from '#core'

/** Bytes: enough for the write-ahead log between two checkpoints, and for what they move into the database. */
const SIZE = 4 * 2 ** 20
const CHUNK = 2 ** 18

export interface Reserve {
  /** True when something may be taken in. Sets room aside if there is enough of it again. */
  isKept(): Promise<boolean>
  /** Gives it free. */
  release(): Promise<void>
}

/** A file beside the database, so that all processes that share the database share it too. */
export function reserveBeside(filename: string, db: Knex): Reserve {
  const file = `${filename}-reserve`
  const release = () => rm(file, { force: true })

  async function freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(dirname(filename))
    return bavail * bsize
  }

  /** A database never gives back to the disk what was deleted from it, but takes it for what comes next. */
  async function roomInside(): Promise<number> {
    const [{ freelist_count: pages }] = await db.raw('PRAGMA freelist_count')
    const [{ page_size: size }] = await db.raw('PRAGMA page_size')
    return pages * size
  }

  return {
    async isKept() {
      if ((await stat(file).catch(() => null))?.size === SIZE) return true
      const free = await freeBytes()
      if (free < 1.5 * SIZE) return free >= SIZE / 2 && (await roomInside()) >= SIZE
      return allocate(file).then(
        () => true,
        () => release().then(() => false),
      )
    },
    release,
  }
}

/** Random, because some file systems do not store what can be squeezed. */
async function allocate(file: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    for (let written = 0; written < SIZE; written += CHUNK) await handle.write(randomBytes(CHUNK))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The same storage: what takes something in needs the reserve, and what does not may use it up. */
export function withReserve(storage: Storage, reserve: Reserve): Storage {
  const { secrets, attachments, users, sessions, tokens, audit, settings } = storage
  return {
    ...storage,
    secrets: { ...careful(secrets, ['create'], reserve), sweep: carefulSweep(secrets.sweep, reserve) },
    attachments: careful(attachments, ['reserve'], reserve),
    users: careful(users, ['create', 'link'], reserve),
    // Signing in takes little, and who makes room has to; so does telling what they did.
    sessions: careful(sessions, [], reserve),
    tokens: careful(tokens, ['create'], reserve),
    audit: careful(audit, [], reserve),
    settings: careful(settings, [], reserve),
  }
}

type Method = (...args: never[]) => Promise<unknown>

function careful<Store extends object>(store: Store, growing: (keyof Store)[], reserve: Reserve): Store {
  const methods = Object.entries(store as Record<string, Method>).map(([name, run]) => [
    name,
    async (...args: never[]) => {
      const isGrowing = growing.includes(name as keyof Store)
      if (isGrowing && !(await reserve.isKept())) throw new AppError('storage.full')
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

/** One by one when there is no room, since deleting many takes more of it than deleting one. */
function carefulSweep(sweep: Storage['secrets']['sweep'], reserve: Reserve): Storage['secrets']['sweep'] {
  return (now, limit) =>
    sweep(now, limit).catch(async (error) => {
      if (!isAppError(error, 'storage.full')) throw error
      await reserve.release()
      return sweep(now, 1)
    })
}
