/** Gives the free pages of a database back to the disk. */
import { stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Compaction } from '#core'

/** Pages that are freed in one transaction, about 1 MB: it takes a few milliseconds. */
const STEP_PAGES = 1000
/** In ms, for the writes of other processes. */
const PAUSE_MS = 20

/** `scrub`: as `Storage.scrub`. Only then the file gets shorter. */
export function createCompaction(filename: string, db: Knex, scrub: () => Promise<boolean>): Compaction {
  return {
    measure: async () => (await stat(filename)).size,
    async run() {
      while ((await countFreePages(db)) > 0) {
        await db.raw(`PRAGMA incremental_vacuum(${STEP_PAGES})`)
        await scrub()
        await setTimeout(PAUSE_MS)
      }
      await scrub()
    },
  }
}

async function countFreePages(db: Knex): Promise<number> {
  const [{ freelist_count: pages }] = await db.raw('PRAGMA freelist_count')
  return Number(pages)
}
