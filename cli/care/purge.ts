/** `mayfly purge`: what the sweeper of a server does, once. */
import type { PlainRow, RowStore } from '#core'
import { createLog, reconcileFiles, sweepFiles, sweepSecrets } from '#core/host'
import type { GlobalFlags } from '../command.js'
import type { PurgeFlags } from '../commands/purge.js'
import type { Io } from '../io.js'
import { counted } from '../text.js'
import { currentSchema, rowsOf, withStores } from './instance.js'

const BATCH = 500

/** Throws CliError `usage`, `unavailable`, `conflict` for a schema of another version. */
export async function purgeEnded(flags: PurgeFlags & GlobalFlags, io: Io): Promise<void> {
  // Quiet when there is nothing: also about the database.
  const quiet = { ...io, note: () => {} }
  await withStores(flags, quiet, async ({ storage, files }) => {
    await currentSchema(storage)
    const now = Date.now
    const removed = flags.dryRun
      ? { ...(await ended(rowsOf(storage), now())), orphans: 0 }
      : {
          secrets: await sweepSecrets({ store: storage.secrets, emit: async () => {}, now, goOn: async () => true }),
          ...(await purgeFiles()),
        }
    if (!flags.dryRun && removed.secrets > 0) await storage.scrub()
    await tell(removed, flags, io)

    async function purgeFiles(): Promise<{ files: number; orphans: number }> {
      if (!files) return { files: 0, orphans: 0 }
      const parts = { store: storage.attachments, files, log: createLog('warn', 'text', io.tell), now }
      // First, because it ends the files of secrets that are gone.
      const orphans = flags.orphans ? await reconcileFiles(parts) : 0
      return { files: await sweepFiles(parts), orphans }
    }
  })
}

/** What has ended by its time alone. */
export async function ended(rows: RowStore, now: number): Promise<{ secrets: number; files: number }> {
  const count = async (table: string) => {
    let total = 0
    let some = await rows.read(table, null, BATCH)
    while (some.length > 0) {
      total += some.filter(({ expires_at }) => Number(expires_at) <= now).length
      some = await rows.read(table, some.at(-1) as PlainRow, BATCH)
    }
    return total
  }
  return { secrets: await count('secrets'), files: await count('attachments') }
}

async function tell(
  removed: { secrets: number; files: number; orphans: number },
  { json, dryRun }: PurgeFlags & GlobalFlags,
  io: Io,
): Promise<void> {
  if (json) return io.write(`${JSON.stringify(removed)}\n`)
  const { secrets, files, orphans } = removed
  if (secrets + files + orphans === 0) return
  const parts = [counted(secrets, 'secret'), counted(files, 'file')]
  if (orphans > 0) parts.push(counted(orphans, 'orphan'))
  io.note(`${dryRun ? 'would remove' : 'removed'} ${parts.join(', ')}`)
}
