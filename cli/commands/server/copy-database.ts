/** `mayfly db copy`: from one database to another, with the files if wanted, and a comparison at the end. */
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
} from '#core/runtime'
import { keyValues } from '../../instance/boot.js'
import { type Opened, openDatabase, openFiles } from '../../instance/open-database.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { counted } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'

export interface DbCopyFlags {
  from?: string
  to?: string
  filesFrom?: string
  filesTo?: string
  batch: string
  set?: string[]
}

/** Throws CliError `usage`, `unavailable`, `conflict` for a target that is not empty, `check_failed` when the two differ. */
export async function copyDatabase(flags: DbCopyFlags & GlobalFlags, io: Io): Promise<void> {
  const { from, to, filesFrom, filesTo } = flags
  const batch = Number(flags.batch)
  if (!from || !to) throw new CliError('usage', 'both --from and --to are needed')
  if (!filesFrom !== !filesTo) throw new CliError('usage', 'both --files-from and --files-to are needed, or neither')
  if (!Number.isSafeInteger(batch) || batch < 1 || batch > 1000) {
    throw new CliError('usage', '--batch must be a whole number from 1 to 1000')
  }
  const opened: Opened<unknown>[] = []
  const open = async <T>(opening: Promise<Opened<T>>): Promise<T> => {
    const one = await opening
    opened.push(one)
    io.note(`using ${one.place}`)
    return one.store
  }
  try {
    const source = await open(openDatabase(from, '--from', io))
    const target = await open(openDatabase(to, '--to', io))
    const settings = keyValues(flags.set)
    const openStore = (named: string) => open(openFiles(named, settings, io))
    const files = filesFrom && filesTo ? { from: await openStore(filesFrom), to: await openStore(filesTo) } : null
    const tables = await copyTables(source, target, files?.to ?? null, batch, io)
    const blobs = files && (await copyBlobs(rowsOf(source), files.from, files.to))
    await tell(tables, blobs, flags, io)
    await judge(target, tables, blobs)
  } finally {
    for (const { close } of opened.reverse()) await close()
  }
}

async function copyTables(source: Storage, target: Storage, filesTo: FileStore | null, batch: number, io: Io) {
  const [from, to] = [rowsOf(source), rowsOf(target)]
  await refuseOtherSchema(source)
  await target.migrate()
  if ((await source.instanceState.get(COPY_PROGRESS_KEY)) !== null) {
    throw new CliError('conflict', 'the source is itself a copy that was not finished')
  }
  const begun = await target.instanceState.get(COPY_PROGRESS_KEY)
  if (begun === null) await refuseUnlessEmpty(to, filesTo)
  else io.note('going on with a copy that broke off')
  const progress: Progress = begun === null ? { done: [], after: null } : JSON.parse(begun)
  const keep = (at: Progress) => target.instanceState.set(COPY_PROGRESS_KEY, JSON.stringify(at))
  // Before the first row, so that a target that is half full says what it is.
  await keep(progress)
  await copyRows(from, to, { batch, progress, keep })
  const state = await copyState(source.instanceState, target.instanceState)
  return [state, ...(await compareRows(from, to, batch))]
}

/** The source is only read, so it is not migrated either. */
async function refuseOtherSchema({ migrations }: Storage): Promise<void> {
  const steps = (await migrations?.status()) ?? []
  if (steps.every(({ state }) => state === 'ran')) return
  const hint = 'bring it up to date with `mayfly migrate`, or use the version that made it'
  throw new CliError('conflict', 'the source does not have the schema of this version', hint)
}

function rowsOf({ rows }: Storage): RowStore {
  if (!rows) throw new CliError('usage', 'this kind of storage cannot be copied')
  return rows
}

async function refuseUnlessEmpty(to: RowStore, files: FileStore | null): Promise<void> {
  for (const table of to.tables) {
    if ((await to.count(table)) > 0) {
      throw new CliError('conflict', 'the target is not empty', `there are rows in its table ${table}`)
    }
  }
  for await (const { key } of files?.list() ?? []) {
    throw new CliError('conflict', 'the target is not empty', `there is a file in its store: ${key}`)
  }
}

/** A table for people, tab-separated lines for programs, one document with --json. */
async function tell(tables: TableCopy[], blobs: BlobCopy | null, { json }: GlobalFlags, io: Io): Promise<void> {
  if (json) return io.write(`${JSON.stringify({ tables, files: blobs })}\n`)
  const rows = tables.map(({ table, from, to, isSame }) => [table, from, to, isSame ? 'ok' : 'fail'])
  if (blobs) rows.push(['files', blobs.same + blobs.lost.length, blobs.same, blobs.lost.length === 0 ? 'ok' : 'fail'])
  if (!io.isTty.stdout) return io.write(rows.map((row) => `${row.join('\t')}\n`).join(''))
  const head = ['table', 'from', 'to', '']
  const lines = [head, ...rows].map(([table, from, to, isSame]) => {
    return `${String(table).padEnd(18)}${String(from).padStart(10)}${String(to).padStart(10)}  ${isSame}\n`
  })
  await io.write(lines.join(''))
}

/** What differs stays marked as unfinished, so that the same command can go on once the cause is gone. */
async function judge(target: Storage, tables: TableCopy[], blobs: BlobCopy | null): Promise<void> {
  const different = tables.filter(({ isSame }) => !isSame).map(({ table }) => table)
  if (different.length > 0) {
    const hint = 'stop the server while it is copied, empty the target and copy again'
    throw new CliError('check_failed', `source and target differ in ${different.join(', ')}`, hint)
  }
  if (blobs && blobs.lost.length > 0) {
    throw new CliError('check_failed', `${counted(blobs.lost.length, 'part')} of files could not be copied`)
  }
  await target.instanceState.delete(COPY_PROGRESS_KEY)
}
