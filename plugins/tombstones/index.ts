/** Journals ended secrets and deleted users outside the database, so that a restore does not bring them back. Decision 025. */
import { resolve } from 'node:path'
import { createFolder, definePlugin, wholeNumber, z } from '#core'
import { openTombstoneJournal } from './tombstone-journal.js'

export default definePlugin({
  contract: 2,
  name: 'tombstones',
  options: z.object({
    folder: z
      .string()
      .min(1)
      .default('tombstones')
      .describe('folder of the journal, preferably on another disk; a relative path is inside dataDir'),
    keepDays: wholeNumber(1, 10_000)
      .default(400)
      .describe('days until journal files are deleted; must be longer than backups with secrets are kept'),
  }),
  async setup({ folder, keepDays }, { dataDir, log }) {
    const path = resolve(dataDir, folder)
    await createFolder(path)
    const journal = await openTombstoneJournal(path, { keepDays, log, now: Date.now })
    return {
      // A client that has seen the end of a secret must not find it again after a restore.
      beforeResponse: {
        'secret:viewed': ({ id, viewsLeft }) => (viewsLeft === null ? undefined : journal.recordSecret(id, viewsLeft)),
        'secret:burned': ({ id, reason }) => (reason === 'expired' ? undefined : journal.recordSecret(id, 0)),
        'user:deleted': ({ id }) => journal.recordUser(id),
      },
      close: () => journal.close(),
    }
  },
})
