import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { definePlugin, z } from '#core'
import { batchSize, knexStorage } from '#plugins/knex'
import { checkDurability, connect, PAGE_SIZE } from './connection.js'
import { reserveBeside, withReserve } from './reserve.js'

/** How long a write waits for that of another process, in ms. */
const BUSY_TIMEOUT = 5_000
/** How long a scrub may hold up the others, in ms: it waits for readers, and meanwhile nobody writes. */
const SCRUB_TIMEOUT = 200
/**
 * Spaces before each text. The start of a row shares a page with others, and SQLite leaves copies of it behind when it
 * moves rows between pages, whatever `secure_delete` says. Behind a page of spaces a text has pages of its own, and
 * those are overwritten.
 */
const TEXT_MARGIN = PAGE_SIZE

export default definePlugin({
  name: 'sqlite',
  options: z.object({
    file: z.string().min(1).default('mayfly.db').describe('database file; a relative path is inside dataDir'),
    batchSize,
  }),
  async setup({ file, batchSize }, { dataDir }) {
    const filename = resolve(dataDir, file)
    await makePrivate(filename)
    const db = connect(filename, BUSY_TIMEOUT)
    const scrubber = connect(filename, SCRUB_TIMEOUT)
    const close = async () => void (await Promise.all([db.destroy(), scrubber.destroy()]))
    /** Burned bytes stay in the write-ahead log until it is copied back and cut. */
    const scrub = async () => (await scrubber.raw('PRAGMA wal_checkpoint(TRUNCATE)'))[0].busy === 0
    const reserve = reserveBeside(filename, db)
    try {
      await checkDurability(db)
      await scrub()
      await reserve.isKept()
    } catch (error) {
      await close()
      throw error
    }
    const storage = knexStorage(db, { textMargin: TEXT_MARGIN, batchSize, scrub })
    return { storage: { ...withReserve(storage, reserve), location: filename }, close }
  },
})

/** The folder too, where it is missing. The files that SQLite puts beside it take over its mode. */
async function makePrivate(filename: string): Promise<void> {
  await mkdir(dirname(filename), { recursive: true, mode: 0o700 })
  // Never opened when it exists: closing it would drop the locks that this process may hold on it.
  await writeFile(filename, '', { flag: 'wx', mode: 0o600 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  await chmod(filename, 0o600)
}
