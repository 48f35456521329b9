/** Reads a backup: verifies it, or restores it into an empty instance. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { blobIdOf } from '../attachments/blob-keys.js'
import type { FileStore } from '../contracts/file-store.js'
import type { PlainRow, RowStore } from '../contracts/rows.js'
import { assertJsonLimits } from '../http/lib/json-limits.js'
import { archiveSum, type Entry, hashed } from './archive.js'
import {
  BackupError,
  FORMAT,
  keyOfEntry,
  MANIFEST,
  type Manifest,
  manifestSchema,
  parseRowsName,
  rowSchema,
  SUMMARY,
  type Summary,
  summarySchema,
} from './backup-format.js'
import type { BackupKey } from './backup-key.js'
import { isInBackups } from './backup-tables.js'
import { checksum, hashRow } from './copy-rows.js'
import { assertRowCount, shortName } from './entry-limits.js'
import type { Journal } from './tombstones.js'

const BATCH = 500
const LINE_FEED = 0x0a
/** The size of an entry is limited before it is read. */
const ANY_BYTES = Number.POSITIVE_INFINITY

export interface Target {
  rows: RowStore
  files: FileStore | null
  /** null: secrets are skipped. `begin` may set it. */
  journal: Journal | null
}

/**
 * Called with the manifest before anything is written. `key`: the key of the MAC, if it is known. It may throw to stop.
 */
type Begin = (manifest: Manifest, key: BackupKey | undefined) => Promise<void>

export interface Restored {
  /** Number of written rows by table. */
  rows: Record<string, number>
  blobs: number
  /** Secrets that have ended since the backup. */
  ended: number
  /** Names of tables, and `files`, whose content differs from the written content. */
  different: string[]
}

/** Handles the entries between the manifest and the summary. */
interface Reader {
  begin: Begin
  rows(table: string, rows: PlainRow[]): Promise<void>
  blob(key: string, size: number, body: Readable): Promise<void>
}

/**
 * Reads a backup without changing anything. `keys`: known keys; the result names the key that authenticated the backup.
 * Throws BackupError, also when the backup does not match its key.
 */
export async function verify(
  entries: AsyncIterable<Entry>,
  keys: BackupKey[],
  begin: Begin = async () => {},
): Promise<{ manifest: Manifest; summary: Summary; key: BackupKey | undefined }> {
  return readAll(entries, keys, {
    begin,
    rows: async () => {},
    blob: async (_, __, body) => drain(body),
  })
}

/**
 * Writes a backup into an empty target and compares the result. `begin` decides whether a backup without a known key is
 * accepted. It may throw BackupError after most rows are written, so mark the target as incomplete before.
 */
export async function restore(
  entries: AsyncIterable<Entry>,
  target: Target,
  keys: BackupKey[],
  begin: Begin,
): Promise<Restored> {
  const result: Restored = { rows: {}, blobs: 0, ended: 0, different: [] }
  const rows = createRowWriter(target, result)
  const blobs = createBlobWriter(target, result)
  await readAll(entries, keys, {
    begin,
    async rows(table, all) {
      const written = await rows.write(table, all)
      // The blobs of a group of secrets come before its files.
      if (table === 'attachments') await blobs.keep(written, all)
    },
    blob: blobs.write,
  })
  await blobs.finish()
  result.different = [...(await rows.compare()), ...(blobs.areDifferent() ? ['files'] : [])]
  return result
}

function createRowWriter(target: Target, result: Restored) {
  const sums = new Map<string, bigint>()
  const filter = createEndedFilter(target)

  return {
    /** Writes the rows whose secrets and users still exist, and returns them. */
    async write(table: string, all: PlainRow[]): Promise<PlainRow[]> {
      if (!isInBackups(target.rows, table)) throw unexpectedEntryError(table)
      const rows = filter(table, all)
      if (table === 'secrets' && target.journal) result.ended += all.length - rows.length
      if (rows.length > 0) await target.rows.write(table, rows)
      result.rows[table] = (result.rows[table] ?? 0) + rows.length
      const sum = rows.reduce((sum, row) => BigInt.asUintN(256, sum + hashRow(row)), sums.get(table) ?? 0n)
      sums.set(table, sum)
      return rows
    },
    /** Names of the tables that differ from the written rows. */
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
  /** Keys of blobs that a later secret can share, and the files of blobs that a secret has. */
  const shared = new Set<string>()
  const sharedFiles = new Set<string>()
  let areDifferent = false

  return {
    async write(key: string, size: number, body: Readable): Promise<void> {
      if (!target.files || !target.journal) return drain(body)
      pending.push(key)
      if (!(await storeAndCompare(target.files, key, size, body))) areDifferent = true
    },
    /** Keeps the pending blobs of the `written` files and deletes the others. `all`: the files that were read. */
    async keep(written: PlainRow[], all: PlainRow[]): Promise<void> {
      const isShared = ({ copies }: PlainRow) => Number(copies) > 1
      const filesOf = (rows: PlainRow[]) => rows.map(({ blob }) => String(blob))
      for (const file of filesOf(written.filter(isShared))) sharedFiles.add(file)
      const [files, later] = [new Set(filesOf(written)), new Set(filesOf(all.filter(isShared)))]
      for (const key of pending) {
        if (later.has(blobIdOf(key))) shared.add(key)
        else if (files.has(blobIdOf(key))) result.blobs += 1
        else await target.files?.delete(key)
      }
      pending = []
    },
    /** After the last rows: deletes the blobs without a secret. */
    async finish(): Promise<void> {
      await this.keep([], [])
      for (const key of shared) {
        if (sharedFiles.has(blobIdOf(key))) result.blobs += 1
        else await target.files?.delete(key)
      }
    },
    areDifferent: () => areDifferent,
  }
}

/**
 * Removes secrets and users that have ended since the backup, with their rows. Tables must come in the order of a
 * backup.
 */
function createEndedFilter(target: Target) {
  const deletedUsers = new Set<string>()
  let secrets = new Set<unknown>()

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

  return (table: string, rows: PlainRow[]): PlainRow[] => {
    if (table === 'users') return filterUsers(rows)
    if (table === 'secrets') return filterSecrets(rows, target.journal)
    if (['texts', 'attachments'].includes(table)) return rows.filter(({ secret_id }) => secrets.has(secret_id))
    return rows.filter((row) => !deletedUsers.has(String(row.user_id)))
  }
}

/** Counts the views since the backup. */
function updateViews(row: PlainRow, journal: Journal | null): PlainRow {
  const left = journal?.viewsLeft(String(row.id))
  if (left === undefined || row.max_views === null) return row
  return { ...row, views: Math.max(Number(row.views), Number(row.max_views) - left) }
}

async function readAll(entries: AsyncIterable<Entry>, keys: BackupKey[], reader: Reader) {
  const sum = archiveSum()
  const assertNew = createNameCheck()
  let key: BackupKey | undefined
  let manifest: Manifest | null = null
  for await (const each of entries) {
    if (each.name === SUMMARY) {
      const summary = summarySchema.safeParse(await readJson(each)).data
      if (!manifest || summary?.sha256 !== sum.hex()) throw damagedError('its checksum is wrong')
      if (key && !key.matches(summary, summary.mac ?? ''))
        throw damagedError('it was changed, or made with another key')
      return { manifest, summary, key }
    }
    const entry = sum.addEntry(each)
    if (!manifest) {
      manifest = await parseManifest(entry)
      const { key: id } = manifest
      key = keys.find((each) => each.id === id)
      await reader.begin(manifest, key)
    } else {
      assertNew(entry.name)
      await readEntry(entry, reader)
    }
  }
  throw manifest ? damagedError('it is truncated') : foreignError()
}

/**
 * Returns a function that throws BackupError for the name of a second entry. It remembers the blobs since the last
 * rows only, because an archive can have any number of entries.
 */
function createNameCheck(): (name: string) => void {
  let lastNumber = -1
  const blobs = new Set<string>()
  return (name) => {
    const rows = parseRowsName(name)
    if (rows === null ? blobs.has(name) : rows.number <= lastNumber)
      throw damagedError(`the entry ${shortName(name)} is repeated or out of order`)
    if (rows === null) blobs.add(name)
    else {
      lastNumber = rows.number
      blobs.clear()
    }
  }
}

async function readEntry({ name, size, body }: Entry, reader: Reader): Promise<void> {
  const key = keyOfEntry(name)
  if (key !== null) return reader.blob(key, size, body)
  const table = parseRowsName(name)?.table
  if (table === undefined) throw unexpectedEntryError(name)
  await reader.rows(table, parseRows(name, await readBytes(body)))
}

/** Throws BackupError. */
function parseRows(name: string, bytes: Buffer): PlainRow[] {
  const rows: PlainRow[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start)
    const line = bytes.subarray(start, end < 0 ? bytes.length : end)
    start += line.length + 1
    if (line.length === 0) continue
    const row = rowSchema.safeParse(parseFlatJson(line))
    if (!row.success) throw damagedError(`invalid row in ${shortName(name)}`)
    rows.push(row.data)
    assertRowCount(name, rows.length)
  }
  return rows
}

/** A parser allocates much more memory for a bracket than its byte. */
function parseFlatJson(line: Buffer): unknown {
  try {
    assertJsonLimits(line, ANY_BYTES)
  } catch {
    return undefined
  }
  return parseJson(line.toString())
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

async function readJson({ body }: Entry): Promise<unknown> {
  return parseFlatJson(await readBytes(body))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The archive has checked the size. */
async function readBytes(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function drain(body: Readable): Promise<void> {
  for await (const _ of body);
}

const damagedError = (what: string) => new BackupError('damaged', `the backup is damaged: ${what}`)
const unexpectedEntryError = (name: string) => damagedError(`unexpected entry ${shortName(name)}`)
const foreignError = () => new BackupError('foreign', 'this is not a backup of Mayfly')
