/**
 * Journals ended secrets and deleted users outside the database, so that a restore does not bring them back. Decision
 * 025.
 */
import { resolve } from 'node:path'
import { createFolder, definePlugin, z } from '#core'
import { durationIn } from '#shared/option-schemas'
import { openTombstoneJournal } from './tombstone-journal.js'

export default definePlugin({
  contract: 1,
  name: 'tombstones',
  options: z.object({
    folder: z
      .string()
      .min(1)
      .default('tombstones')
      .describe('folder of the journal, preferably on another disk; a relative path is inside dataDir'),
    keepDays: durationIn('d', 1, 10_000)
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
        'secret.viewed': ({ secretId, viewsLeft }) =>
          viewsLeft === null ? undefined : journal.recordSecret(secretId, viewsLeft),
        'secret.burned': ({ secretId }) => journal.recordSecret(secretId, 0),
        'user.deleted': ({ userId }) => journal.recordUser(userId),
      },
      close: () => journal.close(),
    }
  },
})
