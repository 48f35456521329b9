import { chmod, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { createFolder, definePlugin, type Hooks, z } from '#core'
import { batchSize, type DatabaseContext, knexStorage } from '#plugins/knex'
import { createCompaction } from './compact.js'
import {
  checkDurability,
  connect,
  describeDriver,
  findDamage,
  hasLargeLog,
  readPageSize,
  setCheckpoints,
} from './connection.js'
import { createDiskReserve, nameReserve, withReserve } from './disk-reserve.js'
import { chooseDriver, DRIVER_NAMES, type SqliteDriver } from './drivers/sqlite-driver.js'
import { IN_MEMORY, openMemoryDatabase } from './memory-database.js'
import { explainStart, isDiskFull } from './start-failure.js'
import { createTextMargin } from './text-margin.js'

/** In ms: how long a write waits for a write of another process. */
const LOCK_TIMEOUT = 5_000
/** In ms: how long a scrub waits for readers. Writers wait meanwhile. */
const SCRUB_TIMEOUT = 200

export default definePlugin({
  contract: 1,
  name: 'sqlite',
  options: z.object({
    file: z
      .string()
      .min(1)
      .default('mayfly.db')
      .describe(
        'database file; a relative path is inside dataDir; ":memory:" keeps everything in memory until the server ends',
      ),
    batchSize,
    driver: z
      .enum(DRIVER_NAMES)
      .optional()
      .describe(
        'library for SQLite; default: the package sqlite3 if its binary loads, otherwise node:sqlite, which Node.js 22.13 and newer contains',
      ),
  }),
  isSingleProcess: ({ file }) => file === IN_MEMORY,
  async setup({ file, batchSize, driver: driverName }, { dataDir }) {
    const driver = chooseDriver(driverName)
    if (file === IN_MEMORY) {
      const { storage, close } = openMemoryDatabase(batchSize, driver)
      return { storage, close }
    }
    const filename = resolve(dataDir, file)
    const start = () => open(filename, batchSize, driver)
    const explain = async (error: unknown) => {
      throw await explainStart(error, toContext(filename))
    }
    return start().catch(async (error) => {
      if (!(await isDiskFull(error, filename))) return explain(error)
      // The reserve of an earlier process is large enough for opening the database.
      await rm(nameReserve(filename), { force: true })
      return start().catch(explain)
    })
  },
})

const toContext = (location: string): DatabaseContext => {
  return { engine: 'sqlite', location, account: 'the user of the server', database: location, schema: '' }
}

async function open(filename: string, batchSize: number, driver: SqliteDriver): Promise<Hooks> {
  await makePrivate(filename)
  const db = connect(filename, LOCK_TIMEOUT, driver)
  const scrubber = connect(filename, SCRUB_TIMEOUT, driver)
  let resumeCheckpoints = async () => {}
  /**
   * Deleted data stays in the write-ahead log until it is copied into the database and truncated. The first pass copies
   * most of it without blocking writers, who wait during the second pass.
   */
  const scrub = async () => {
    await scrubber.raw('PRAGMA wal_checkpoint(PASSIVE)').finally(() => resumeCheckpoints())
    return (await scrubber.raw('PRAGMA wal_checkpoint(TRUNCATE)'))[0].busy === 0
  }
  const reserve = createDiskReserve(filename, db)
  // The start does not wait for it: a full disk must not stop it, and a create calls `ensure` again.
  let allocated: Promise<unknown> = Promise.resolve()
  const close = async () => {
    await allocated
    // One after the other: the last connection copies the log, and of two at the same time, each may take the other for
    // the last one.
    await scrubber.destroy()
    await db.destroy()
  }
  try {
    await checkDurability(db)
    // Opens the second connection. SQLite copies the log when its last connection is closed, and a failed connection is
    // closed. A locked checkpoint cannot be retried like an error, so SQLite waits for the readers.
    await scrubber.raw(`PRAGMA busy_timeout = ${SCRUB_TIMEOUT}`)
    allocated = reserve.ensure().catch(() => {})
    const pageSize = await readPageSize(db)
    const textMargin = createTextMargin(pageSize)
    // Copying a large log takes seconds. The first scrub does it, so that neither the start nor a request waits for it,
    // unless the disk is too full for a log that grows until then.
    const isPostponed = (await hasLargeLog(filename)) && (await reserve.ensure().catch(() => false))
    await setCheckpoints(db, pageSize, !isPostponed)
    if (isPostponed) resumeCheckpoints = () => setCheckpoints(db, pageSize, true)
    const storage = knexStorage(db, {
      context: toContext(filename),
      textMargin,
      batchSize,
      scrub,
      hasTriggers: true,
    })
    return {
      storage: {
        ...withReserve(storage, reserve),
        location: filename,
        driver: await describeDriver(db, driver),
        findDamage: () => findDamage(db),
        compaction: createCompaction(filename, db, scrub),
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Creates the file and its folder, if necessary, readable only by their owner. SQLite gives its other files the same
 * mode.
 */
async function makePrivate(filename: string): Promise<void> {
  await createFolder(dirname(filename))
  // An existing file is not opened: closing it would release the locks of this process on it.
  await writeFile(filename, '', { flag: 'wx', mode: 0o600 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  if ((await stat(filename)).isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
  await chmod(filename, 0o600)
}
