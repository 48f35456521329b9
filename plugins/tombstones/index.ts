/** Remembers, apart from the database, what has ended, so that no restore brings it back. Decision 025. */
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { definePlugin, wholeNumber, z } from '#core'
import { openJournal } from './journal.js'

export default definePlugin({
  name: 'tombstones',
  options: z.object({
    folder: z
      .string()
      .min(1)
      .default('tombstones')
      .describe('where the journal is kept, best on another disk; a relative path is inside dataDir'),
    keepDays: wholeNumber(1, 10_000)
      .default(400)
      .describe('days after which its files are deleted: longer than any backup with secrets is kept'),
  }),
  async setup({ folder, keepDays }, { dataDir, log }) {
    const place = resolve(dataDir, folder)
    await mkdir(place, { recursive: true, mode: 0o700 })
    const journal = await openJournal(place, { keepDays, log, now: Date.now })
    return {
      on: {
        'secret:viewed': ({ id, viewsLeft }) => (viewsLeft === null ? undefined : journal.secret(id, viewsLeft)),
        'secret:burned': ({ id, reason }) => (reason === 'expired' ? undefined : journal.secret(id, 0)),
        'user:deleted': ({ id }) => journal.user(id),
      },
      close: () => journal.close(),
    }
  },
})
