/** Reads a backup: verifies it, or restores it into an empty instance. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { blobIdOf } from '../attachments/blob-keys.js'
import type { FileStore } from '../contracts/file-store.js'
import type { PlainRow, RowStore } from '../contracts/rows.js'
import { archiveSum, type Entry, hashed } from './archive.js'
import {
  BackupError,
  FORMAT,
  keyOfEntry,
  MANIFEST,
  type Manifest,
  manifestSchema,
  rowSchema,
  SUMMARY,
  type Summary,
  summarySchema,
  tableOfEntry,
} from './backup-format.js'
import { ACCOUNTS, SECRETS, upgradeRows } from './backup-tables.js'
import { checksum, hashRow } from './copy-rows.js'
import type { Journal } from './tombstones.js'

/** Size limit of manifest and summary, in bytes. */
const JSON_MAX = 2 ** 20
const BATCH = 500

export interface Target {
  rows: RowStore
  files: FileStore | null
  /** null: secrets are skipped. `begin` may set it. */
  journal: Journal | null
}

export interface Restored {
  /** Number of written rows by table. */
  rows: Record<string, number>
  blobs: number
  /** Secrets that have ended since the backup. */
  ended: number
  /** Names of tables, and `files`, whose content differs from what was written. */
  different: string[]
}

/** Handles the entries between the manifest and the summary. */
interface Reader {
  begin?(manifest: Manifest): Promise<void>
  rows(table: string, rows: PlainRow[]): Promise<void>
  blob(key: string, size: number, body: Readable): Promise<void>
}

/** Reads a backup without changing anything. `begin` may throw to stop. Throws BackupError. */
export async function verify(
  entries: AsyncIterable<Entry>,
  begin?: (manifest: Manifest) => Promise<void>,
): Promise<{ manifest: Manifest; summary: Summary }> {
  return readAll(entries, {
    ...(begin ? { begin } : {}),
    rows: async () => {},
    blob: async (_, __, body) => drain(body),
  })
}

/**
 * Writes a backup into an empty target and compares the result. `begin` is called with the manifest before anything is written.
 * Throws BackupError, possibly after most rows are written, so mark the target as incomplete before.
 */
export async function restore(
  entries: AsyncIterable<Entry>,
  target: Target,
  begin?: (manifest: Manifest) => Promise<void>,
): Promise<Restored> {
  const result: Restored = { rows: {}, blobs: 0, ended: 0, different: [] }
  const rows = createRowWriter(target, result)
  const blobs = createBlobWriter(target, result)
  await readAll(entries, {
    ...(begin ? { begin } : {}),
    async rows(table, all) {
      const written = await rows.write(table, all)
      // The blobs of a group of secrets come before its files.
      if (table === 'attachments') await blobs.keep(new Set(written.map(({ blob }) => String(blob))))
    },
    blob: blobs.write,
  })
  await blobs.keep(new Set())
  result.different = [...(await rows.compare()), ...(blobs.areDifferent() ? ['files'] : [])]
  return result
}

function createRowWriter(target: Target, result: Restored) {
  const sums = new Map<string, bigint>()
  const filter = createEndedFilter(target)

  return {
    /** Writes the rows whose secrets and users still exist, and returns them. */
    async write(table: string, all: PlainRow[]): Promise<PlainRow[]> {
      const rows = filter(table, upgradeRows(table, all))
      if (table === 'secrets' && target.journal) result.ended += all.length - rows.length
      if (rows.length > 0) await target.rows.write(table, rows)
      result.rows[table] = (result.rows[table] ?? 0) + rows.length
      const sum = rows.reduce((sum, row) => BigInt.asUintN(256, sum + hashRow(row)), sums.get(table) ?? 0n)
      sums.set(table, sum)
      return rows
    },
    /** Names of the tables that differ from what was written. */
    async compare(): Promise<string[]> {
      const different: string[] = []
      for (const [table, sum] of sums) {
        const stored = await checksum(target.rows, table, BATCH)
        if (stored.sum !== sum || stored.rows !== result.rows[table]) different.push(table)
      }
      return different
    },
  }
}

function createBlobWriter(target: Target, result: Restored) {
  /** Keys of stored blobs whose rows have not been read yet. */
  let pending: string[] = []
  let areDifferent = false

  return {
    async write(key: string, size: number, body: Readable): Promise<void> {
      if (!target.files || !target.journal) return drain(body)
      pending.push(key)
      if (!(await storeAndCompare(target.files, key, size, body))) areDifferent = true
    },
    /** Keeps the pending blobs of these files and deletes the others. */
    async keep(files: Set<string>): Promise<void> {
      for (const key of pending) {
        if (files.has(blobIdOf(key))) result.blobs += 1
        else await target.files?.delete(key)
      }
      pending = []
    },
    areDifferent: () => areDifferent,
  }
}

/** Removes secrets and users that have ended since the backup, with their rows. Tables must come in the order of a backup. */
function createEndedFilter(target: Target) {
  const deletedUsers = new Set<string>()
  let secrets = new Set<unknown>()
  let files = new Set<unknown>()

  function filterUsers(rows: PlainRow[]): PlainRow[] {
    for (const { id } of rows) if (target.journal?.isUserGone(String(id))) deletedUsers.add(String(id))
    return rows.filter(({ id }) => !deletedUsers.has(String(id)))
  }

  function filterSecrets(rows: PlainRow[], journal: Journal | null): PlainRow[] {
    const isEnded = (row: PlainRow) =>
      journal === null || journal.viewsLeft(String(row.id)) === 0 || deletedUsers.has(String(row.owner_id))
    const kept = rows.filter((row) => !isEnded(row)).map((row) => updateViews(row, journal))
    secrets = new Set(kept.map(({ id }) => id))
    return kept
  }

  function filterFiles(rows: PlainRow[]): PlainRow[] {
    const kept = rows.filter(({ secret_id }) => secrets.has(secret_id))
    files = new Set(kept.map(({ id }) => id))
    return kept
  }

  return (table: string, rows: PlainRow[]): PlainRow[] => {
    if (table === 'users') return filterUsers(rows)
    if (table === 'secrets') return filterSecrets(rows, target.journal)
    if (table === 'texts') return rows.filter(({ secret_id }) => secrets.has(secret_id))
    if (table === 'attachments') return filterFiles(rows)
    if (table === 'attachment_parts') return rows.filter(({ attachment_id }) => files.has(attachment_id))
    return rows.filter((row) => !deletedUsers.has(String(row.user_id)))
  }
}

/** Counts the views since the backup. */
function updateViews(row: PlainRow, journal: Journal | null): PlainRow {
  const left = journal?.viewsLeft(String(row.id))
  if (left === undefined || row.max_views === null) return row
  return { ...row, views: Math.max(Number(row.views), Number(row.max_views) - left) }
}

async function readAll(entries: AsyncIterable<Entry>, reader: Reader) {
  const sum = archiveSum()
  let manifest: Manifest | null = null
  for await (const each of entries) {
    if (each.name === SUMMARY) {
      const summary = summarySchema.safeParse(await readJson(each)).data
      if (!manifest || summary?.sha256 !== sum.hex()) throw damagedError('its checksum is wrong')
      return { manifest, summary }
    }
    const entry = sum.addEntry(each)
    if (!manifest) {
      manifest = await parseManifest(entry)
      await reader.begin?.(manifest)
    } else await readEntry(entry, reader)
  }
  throw manifest ? damagedError('it breaks off') : foreignError()
}

async function readEntry({ name, size, body }: Entry, reader: Reader): Promise<void> {
  const table = tableOfEntry(name)
  const key = keyOfEntry(name)
  if (key !== null) return reader.blob(key, size, body)
  if (table === null || ![...ACCOUNTS, ...SECRETS].includes(table))
    throw damagedError('there is an entry of another kind in it')
  const lines = (await readText(body)).split('\n').filter((line) => line !== '')
  await reader.rows(
    table,
    lines.map((line) => {
      const row = rowSchema.safeParse(parseJson(line))
      if (!row.success) throw damagedError(`there is a row in ${table} that is none`)
      return row.data
    }),
  )
}

async function parseManifest(entry: Entry): Promise<Manifest> {
  if (entry.name !== MANIFEST) throw foreignError()
  const manifest = manifestSchema.safeParse(await readJson(entry))
  if (!manifest.success) throw foreignError()
  if (manifest.data.format > FORMAT) throw new BackupError('newer', 'a newer version of Mayfly made this backup')
  return manifest.data
}

/** Stores a blob and reads it back. False when the result differs. */
async function storeAndCompare(files: FileStore, key: string, size: number, body: Readable): Promise<boolean> {
  const sent = createHash('sha256')
  await files.put(key, hashed(body, sent), size)
  const back = createHash('sha256')
  for await (const chunk of await files.get(key)) back.update(chunk)
  return back.digest('hex') === sent.digest('hex')
}

async function readJson({ size, body }: Entry): Promise<unknown> {
  if (size > JSON_MAX) throw foreignError()
  return parseJson(await readText(body))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function drain(body: Readable): Promise<void> {
  for await (const _ of body);
}

const damagedError = (what: string) => new BackupError('damaged', `the backup is damaged: ${what}`)
const foreignError = () => new BackupError('foreign', 'this is no backup of Mayfly')
