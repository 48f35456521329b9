import { chmod, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { createFolder, definePlugin, z } from '#core'
import { batchSize, knexStorage } from '#plugins/knex'
import { checkDurability, connect, findDamage, hasLargeLog, readPageSize, setCheckpoints } from './connection.js'
import { createDiskReserve, withReserve } from './disk-reserve.js'
import { createTextMargin } from './text-margin.js'

/** In ms: how long a write waits for a write of another process. */
const LOCK_TIMEOUT = 5_000
/** In ms: how long a scrub waits for readers. Writers wait meanwhile. */
const SCRUB_TIMEOUT = 200
export default definePlugin({
  contract: 2,
  name: 'sqlite',
  options: z.object({
    file: z.string().min(1).default('mayfly.db').describe('database file; a relative path is inside dataDir'),
    batchSize,
  }),
  async setup({ file, batchSize }, { dataDir }) {
    const filename = resolve(dataDir, file)
    await makePrivate(filename)
    const db = connect(filename, LOCK_TIMEOUT)
    const scrubber = connect(filename, SCRUB_TIMEOUT)
    let resumeCheckpoints = async () => {}
    /**
     * Deleted data stays in the write-ahead log until it is copied into the database and truncated. The first pass copies most
     * of it without blocking writers, who wait during the second one.
     */
    const scrub = async () => {
      await scrubber.raw('PRAGMA wal_checkpoint(PASSIVE)').finally(() => resumeCheckpoints())
      return (await scrubber.raw('PRAGMA wal_checkpoint(TRUNCATE)'))[0].busy === 0
    }
    const reserve = createDiskReserve(filename, db)
    // The start does not wait for it: a full disk is no reason to stop it, and a create calls `ensure` again.
    let allocated: Promise<unknown> = Promise.resolve()
    const close = async () => {
      await allocated
      // One after the other: the last one copies the log, and two at the same time may each take the other for the last one.
      await scrubber.destroy()
      await db.destroy()
    }
    try {
      await checkDurability(db)
      // Opens the second connection. SQLite copies the log when its last connection is closed, and a failed one is closed.
      // A locked checkpoint is no error that could be retried, so SQLite waits for the readers.
      await scrubber.raw(`PRAGMA busy_timeout = ${SCRUB_TIMEOUT}`)
      allocated = reserve.ensure().catch(() => {})
      const pageSize = await readPageSize(db)
      const textMargin = createTextMargin(pageSize)
      // Copying a large log takes seconds. The first scrub does it, so that neither the start nor a request waits for it, unless
      // the disk has no room for a log that grows until then.
      const isPostponed = (await hasLargeLog(filename)) && (await reserve.ensure().catch(() => false))
      await setCheckpoints(db, pageSize, !isPostponed)
      if (isPostponed) resumeCheckpoints = () => setCheckpoints(db, pageSize, true)
      const storage = knexStorage(db, { textMargin, batchSize, scrub })
      return {
        storage: { ...withReserve(storage, reserve), location: filename, findDamage: () => findDamage(db) },
        close,
      }
    } catch (error) {
      await close()
      throw error
    }
  },
})

/** Creates the file and its folder, if necessary, readable only by their owner. SQLite gives its other files the same mode. */
async function makePrivate(filename: string): Promise<void> {
  await createFolder(dirname(filename))
  // An existing file is not opened: closing it would release the locks of this process on it.
  await writeFile(filename, '', { flag: 'wx', mode: 0o600 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  await chmod(filename, 0o600)
}
