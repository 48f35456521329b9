/** `mayfly db copy`: copies a database, and optionally the files, and compares both. */
import type { FileStore, RowStore, Storage } from '#core'
import {
  type BlobCopy,
  COPY_PROGRESS_KEY,
  compareRows,
  copyBlobs,
  copyRows,
  copyState,
  type Progress,
  type TableCopy,
} from '#core/backup'
import { takeCleanupLease } from '../../instance/cleanup-lease.js'
import { parseKeyValues } from '../../instance/instance-config.js'
import { type OpenStore, openDatabase, openFileStore } from '../../instance/open-database.js'
import { requireCurrentSchema, requireRows } from '../../instance/open-stores.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'

export interface DbCopyFlags {
  from?: string
  to?: string
  filesFrom?: string
  filesTo?: string
  batch: string
  live?: true
  set?: string[]
}

/**
 * Throws CliError `usage`, `unavailable`, `conflict` when the target is not empty, `check_failed` when the two differ.
 */
export async function copyDatabase(flags: DbCopyFlags & GlobalFlags, io: Io): Promise<void> {
  const { from, to, filesFrom, filesTo } = flags
  const batch = Number(flags.batch)
  if (!from || !to) throw new CliError('usage', 'missing option: --from and --to', 'use both')
  if (!filesFrom !== !filesTo) throw new CliError('usage', '--files-from and --files-to must be used together')
  if (!Number.isSafeInteger(batch) || batch < 1 || batch > 1000) {
    throw new CliError('usage', '--batch must be a whole number from 1 to 1000')
  }
  const stores: OpenStore<unknown>[] = []
  const open = async <T>(opening: Promise<OpenStore<T>>): Promise<T> => {
    const one = await opening
    stores.push(one)
    io.note(`using ${one.location}`)
    return one.store
  }
  try {
    const source = await open(openDatabase(from, '--from', io))
    const target = await open(openDatabase(to, '--to', io))
    const settings = parseKeyValues(flags.set)
    const openStore = (named: string) => open(openFileStore(named, settings, io))
    const files = filesFrom && filesTo ? { from: await openStore(filesFrom), to: await openStore(filesTo) } : null
    const tables = await copyTables(source, target, files?.to ?? null, { ...flags, batch }, io)
    const blobs = files && (await copyBlobs(requireRows(source), files.from, files.to))
    await printResult(tables, blobs, flags, io)
    await finishCopy(target, tables, blobs)
  } finally {
    for (const { close } of stores.reverse()) await close()
  }
}

/**
 * Changes by a server during the copy are missing in the target: a secret that was opened meanwhile could be opened
 * again there.
 */
async function checkSourceStopped(source: Storage, live: boolean, io: Io): Promise<void> {
  if (live) {
    io.warn('changes during the copy may be missing in the target, also that a secret was opened or burned')
    return
  }
  const release = await takeCleanupLease(source)
  if (release) return release()
  const hint = 'stop it; if it was killed, wait a minute. --live copies anyway, without the changes made meanwhile'
  throw new CliError('conflict', 'a server is running on the source', hint)
}

async function copyTables(
  source: Storage,
  target: Storage,
  filesTo: FileStore | null,
  { batch, live }: { batch: number; live?: true },
  io: Io,
) {
  const [from, to] = [requireRows(source), requireRows(target)]
  // The source is not changed, so it is not migrated.
  await requireCurrentSchema(source, 'the source')
  await checkSourceStopped(source, live ?? false, io)
  await target.migrate()
  if ((await source.instanceState.get(COPY_PROGRESS_KEY)) !== null) {
    throw new CliError('conflict', 'the source is an unfinished copy')
  }
  const begun = await target.instanceState.get(COPY_PROGRESS_KEY)
  if (begun === null) await requireEmptyTarget(to, filesTo)
  else io.note('continuing an interrupted copy')
  const progress: Progress = begun === null ? { done: [], after: null } : JSON.parse(begun)
  const saveProgress = (at: Progress) => target.instanceState.set(COPY_PROGRESS_KEY, JSON.stringify(at))
  // Before the first row, so that an incomplete target is marked as such.
  await saveProgress(progress)
  await copyRows(from, to, { batch, progress, keep: saveProgress })
  const state = await copyState(source.instanceState, target.instanceState)
  return [state, ...(await compareRows(from, to, batch))]
}

async function requireEmptyTarget(to: RowStore, files: FileStore | null): Promise<void> {
  for (const { name } of to.tables) {
    if ((await to.count(name)) > 0) {
      throw new CliError('conflict', 'the target is not empty', `table ${name} has rows`)
    }
  }
  for await (const { key } of files?.list() ?? []) {
    throw new CliError('conflict', 'the target is not empty', `the file store contains ${key}`)
  }
}

/** Prints a table on a terminal, tab-separated lines in a pipe, one document with --json. */
async function printResult(tables: TableCopy[], blobs: BlobCopy | null, { json }: GlobalFlags, io: Io): Promise<void> {
  if (json) {
    const shown = tables.map(({ isSame, ...table }) => ({ ...table, is_same: isSame }))
    return io.writeJson({ tables: shown, files: blobs })
  }
  const rows = tables.map(({ table, from, to, isSame }) => [table, from, to, isSame ? 'ok' : 'fail'])
  if (blobs) rows.push(['files', blobs.same + blobs.lost.length, blobs.same, blobs.lost.length === 0 ? 'ok' : 'fail'])
  if (!io.isTty.stdout) return io.write(rows.map((row) => `${row.join('\t')}\n`).join(''))
  const head = ['table', 'from', 'to', '']
  const lines = [head, ...rows].map(([table, from, to, isSame]) => {
    return `${String(table).padEnd(18)}${String(from).padStart(10)}${String(to).padStart(10)}  ${isSame}\n`
  })
  await io.write(lines.join(''))
}

/**
 * Checks the result and removes the mark of an unfinished copy. A target that differs keeps it, so that the command can
 * continue later.
 */
async function finishCopy(target: Storage, tables: TableCopy[], blobs: BlobCopy | null): Promise<void> {
  const different = tables.filter(({ isSame }) => !isSame).map(({ table }) => table)
  if (different.length > 0) {
    const hint = 'stop the server during the copy, empty the target and copy again'
    throw new CliError('check_failed', `source and target differ in ${different.join(', ')}`, hint)
  }
  if (blobs && blobs.lost.length > 0) {
    throw new CliError('check_failed', `${formatCount(blobs.lost.length, 'part')} of files could not be copied`)
  }
  await target.instanceState.delete(COPY_PROGRESS_KEY)
}
