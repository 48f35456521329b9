/** `mayfly purge`: runs the cleanup of a server once. */
import type { PlainRow, RowStore } from '#core'
import { createLog, deleteExpiredFiles, deleteExpiredSecrets, type Log, reconcileFiles } from '#core/runtime'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { currentSchema, rowsOf, type Stores, withStores } from '../../instance/open-stores.js'
import type { Io } from '../../output/io.js'
import { counted } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'

export interface PurgeFlags extends InstanceFlags {
  orphans?: true
  dryRun?: true
}

const BATCH = 500

/** How much there was of each. */
interface Removed {
  secrets: number
  files: number
  orphans: number
}

/** Throws CliError `usage`, `unavailable`, `conflict` for a schema of another version. */
export async function purgeEnded(flags: PurgeFlags & GlobalFlags, io: Io): Promise<void> {
  // Quiet when there is nothing: also about the database.
  const quiet = io.withFlags({ ...flags, quiet: true })
  await withStores(flags, quiet, async (stores) => {
    await currentSchema(stores.storage)
    const removed = flags.dryRun
      ? { ...(await ended(rowsOf(stores.storage), Date.now())), orphans: 0 }
      : await removeEnded(stores, {
          orphans: flags.orphans ?? false,
          log: createLog('warn', 'text', (line) => io.tell(line)),
        })
    await tell(removed, flags, io)
  })
}

/** `orphans`: also the files that belong to nothing. */
export async function removeEnded(
  { storage, files }: Pick<Stores, 'storage' | 'files'>,
  { orphans, log }: { orphans: boolean; log: Log },
): Promise<Removed> {
  const now = Date.now
  const secrets = await deleteExpiredSecrets({
    store: storage.secrets,
    recordExpired: async () => {},
    now,
    goOn: async () => true,
  })
  const removed = { secrets, files: 0, orphans: 0 }
  if (files) {
    const parts = { store: storage.attachments, files, log, now }
    // First, because it ends the files of secrets that are gone.
    if (orphans) removed.orphans = await reconcileFiles(parts)
    removed.files = await deleteExpiredFiles(parts)
  }
  if (secrets > 0) await storage.scrub()
  return removed
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

async function tell(removed: Removed, { json, dryRun }: PurgeFlags & GlobalFlags, io: Io): Promise<void> {
  if (json) return io.write(`${JSON.stringify(removed)}\n`)
  const { secrets, files, orphans } = removed
  if (secrets + files + orphans === 0) return
  const parts = [counted(secrets, 'secret'), counted(files, 'file')]
  if (orphans > 0) parts.push(counted(orphans, 'orphan'))
  io.note(`${dryRun ? 'would remove' : 'removed'} ${parts.join(', ')}`)
}
