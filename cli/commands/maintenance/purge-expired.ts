/** `mayfly purge`: runs the cleanup of a server once. */
import type { PlainRow, RowStore } from '#core'
import {
  countOrphans,
  createLog,
  deleteExpiredFiles,
  deleteExpiredSecrets,
  type Log,
  reconcileFiles,
} from '#core/runtime'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { requireCurrentSchema, requireRows, type Stores, withStores } from '../../instance/open-stores.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'

export interface PurgeFlags extends InstanceFlags {
  orphans?: true
  dryRun?: true
}

const BATCH = 500

/** Number of deleted items. */
interface PurgeCounts {
  secrets: number
  files: number
  orphans: number
}

/** Throws CliError `usage`, `unavailable`, `conflict` for another schema version. */
export async function purgeExpired(flags: PurgeFlags & GlobalFlags, io: Io): Promise<void> {
  // Prints nothing without expired data, so the storage line is left out too.
  const quiet = io.withFlags({ ...flags, quiet: true })
  await withStores(flags, quiet, async (stores) => {
    await requireCurrentSchema(stores.storage)
    const removed = flags.dryRun
      ? { ...(await countExpired(requireRows(stores.storage), Date.now())), orphans: await countIfAsked(stores, flags) }
      : await deleteExpired(stores, {
          orphans: flags.orphans ?? false,
          log: createLog('warn', 'text', (line) => io.writeErr(line)),
        })
    await printCounts(removed, flags, io)
  })
}

async function countIfAsked({ storage, files }: Stores, { orphans }: PurgeFlags): Promise<number> {
  return orphans && files ? countOrphans({ store: storage.attachments, files, now: Date.now }) : 0
}

/** `orphans`: also delete files without a secret. */
export async function deleteExpired(
  { storage, files }: Pick<Stores, 'storage' | 'files'>,
  { orphans, log }: { orphans: boolean; log: Log },
): Promise<PurgeCounts> {
  const now = Date.now
  const secrets = await deleteExpiredSecrets({
    store: storage.secrets,
    batchMs: storage.cleanupBatchMs,
    recordExpired: async () => {},
    now,
    goOn: async () => true,
  })
  const removed = { secrets, files: 0, orphans: 0 }
  if (files) {
    const parts = { store: storage.attachments, files, log, now }
    // First, because it marks files of deleted secrets for deletion.
    if (orphans) removed.orphans = await reconcileFiles(parts)
    removed.files = await deleteExpiredFiles(parts)
  }
  if (secrets > 0) await storage.scrub()
  return removed
}

/** Counts secrets and files whose expiry time has passed. */
export async function countExpired(rows: RowStore, now: number): Promise<{ secrets: number; files: number }> {
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

async function printCounts(removed: PurgeCounts, { json, dryRun }: PurgeFlags & GlobalFlags, io: Io): Promise<void> {
  if (json) return io.writeJson({ ...removed, dry_run: dryRun ?? false })
  const { secrets, files, orphans } = removed
  if (secrets + files + orphans === 0) return
  const parts = [formatCount(secrets, 'secret'), formatCount(files, 'file')]
  if (orphans > 0) parts.push(formatCount(orphans, 'orphan'))
  io.note(`${dryRun ? 'would remove' : 'removed'} ${parts.join(', ')}`)
}
