/** From the entries of a backup to an empty instance. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { blobOf } from '../attachments/blob-key.js'
import type { FileStore } from '../contracts/file-store.js'
import type { PlainRow, RowStore } from '../contracts/rows.js'
import { checksum, hashOf } from '../copying/rows.js'
import { archiveSum, type Entry, hashed } from './archive.js'
import { ACCOUNTS, SECRETS } from './contents.js'
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
} from './format.js'
import type { Journal } from './tombstones.js'

/** Longest manifest and summary, in bytes. */
const SMALL = 2 ** 20
const BATCH = 500

export interface Target {
  rows: RowStore
  files: FileStore | null
  /** null: secrets are left out. May be set by `begin`. */
  journal: Journal | null
}

export interface Restored {
  /** Rows written, by table. */
  rows: Record<string, number>
  blobs: number
  /** Secrets of the backup that have ended since. */
  ended: number
  /** What is not in the target as it was written: names of tables, and `files`. */
  different: string[]
}

/** What a reader does with the entries between the first one and the last. */
interface Reader {
  begin?(manifest: Manifest): Promise<void>
  rows(table: string, rows: PlainRow[]): Promise<void>
  blob(key: string, size: number, body: Readable): Promise<void>
}

/** Reads all of it and changes nothing. Throws BackupError. `begin` may throw to end it early. */
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
 * Writes it into a target that is empty, and compares what is there then. Throws BackupError, perhaps when most is written:
 * mark the target before. `begin` is called with the manifest before anything is written.
 */
export async function restore(
  entries: AsyncIterable<Entry>,
  target: Target,
  begin?: (manifest: Manifest) => Promise<void>,
): Promise<Restored> {
  const sums = new Map<string, bigint>()
  const result: Restored = { rows: {}, blobs: 0, ended: 0, different: [] }
  const gone = endedSince(target)
  /** Blobs of the secrets at hand, until it is known whether there still is such a file. */
  let waiting: string[] = []
  let isFileDifferent = false
  const dropOrphans = async (isKept: (key: string) => boolean) => {
    for (const key of waiting) if (!isKept(key)) await target.files?.delete(key)
    result.blobs += waiting.filter(isKept).length
    waiting = []
  }
  await readAll(entries, {
    ...(begin ? { begin } : {}),
    async rows(table, all) {
      const rows = gone.without(table, all)
      if (table === 'secrets' && target.journal) result.ended += all.length - rows.length
      if (rows.length > 0) await target.rows.write(table, rows)
      result.rows[table] = (result.rows[table] ?? 0) + rows.length
      sums.set(
        table,
        rows.reduce((sum, row) => BigInt.asUintN(256, sum + hashOf(row)), sums.get(table) ?? 0n),
      )
      // Files come last of what belongs to the secrets at hand, whose blobs came before.
      if (table === 'attachments') {
        const kept = new Set(rows.map(({ blob }) => String(blob)))
        await dropOrphans((key) => kept.has(blobOf(key)))
      }
    },
    async blob(key, size, body) {
      if (!target.files || !target.journal) return drain(body)
      waiting.push(key)
      if (!(await isStored(target.files, key, size, body))) isFileDifferent = true
    },
  })
  await dropOrphans(() => false)
  for (const [table, sum] of sums) {
    const there = await checksum(target.rows, table, BATCH)
    if (there.sum !== sum || there.rows !== result.rows[table]) result.different.push(table)
  }
  if (isFileDifferent) result.different.push('files')
  return result
}

/** Takes out what has ended since the backup, and all that belongs to it. Secrets come before what is theirs. */
function endedSince(target: Target) {
  const users = new Set<string>()
  let secrets = new Set<unknown>()
  let files = new Set<unknown>()
  const isEnded = (row: PlainRow, journal: Journal | null) =>
    journal === null || journal.viewsLeft(String(row.id)) === 0 || users.has(String(row.owner_id))
  const columns: Record<string, [column: string, kept: () => Set<unknown>]> = {
    texts: ['secret_id', () => secrets],
    attachments: ['secret_id', () => secrets],
    attachment_parts: ['attachment_id', () => files],
  }
  return {
    without(table: string, rows: PlainRow[]): PlainRow[] {
      const { journal } = target
      if (table === 'users') {
        for (const { id } of rows) if (journal?.isUserGone(String(id))) users.add(String(id))
        return rows.filter(({ id }) => !users.has(String(id)))
      }
      if (table === 'secrets') {
        const kept = rows.filter((row) => !isEnded(row, journal)).map((row) => counted(row, journal))
        secrets = new Set(kept.map(({ id }) => id))
        return kept
      }
      const [column, kept] = columns[table] ?? []
      if (!column || !kept) return rows.filter((row) => !users.has(String(row.user_id)))
      const theirs = rows.filter((row) => kept().has(row[column]))
      if (table === 'attachments') files = new Set(theirs.map(({ id }) => id))
      return theirs
    },
  }
}

/** Views that were had since the backup are had. */
function counted(row: PlainRow, journal: Journal | null): PlainRow {
  const left = journal?.viewsLeft(String(row.id))
  if (left === undefined || row.max_views === null) return row
  return { ...row, views: Math.max(Number(row.views), Number(row.max_views) - left) }
}

async function readAll(entries: AsyncIterable<Entry>, reader: Reader) {
  const sum = archiveSum()
  let manifest: Manifest | null = null
  for await (const each of entries) {
    if (each.name === SUMMARY) {
      const summary = summarySchema.safeParse(await json(each)).data
      if (!manifest || summary?.sha256 !== sum.hex()) throw damaged('its checksum is wrong')
      return { manifest, summary }
    }
    const entry = sum.over(each)
    if (!manifest) {
      manifest = await manifestOf(entry)
      await reader.begin?.(manifest)
    } else await readEntry(entry, reader)
  }
  throw manifest ? damaged('it breaks off') : foreign()
}

async function readEntry({ name, size, body }: Entry, reader: Reader): Promise<void> {
  const table = tableOfEntry(name)
  const key = keyOfEntry(name)
  if (key !== null) return reader.blob(key, size, body)
  if (table === null || ![...ACCOUNTS, ...SECRETS].includes(table))
    throw damaged('there is an entry of another kind in it')
  const lines = (await textOf(body)).split('\n').filter((line) => line !== '')
  await reader.rows(
    table,
    lines.map((line) => {
      const row = rowSchema.safeParse(parsed(line))
      if (!row.success) throw damaged(`there is a row in ${table} that is none`)
      return row.data
    }),
  )
}

async function manifestOf(entry: Entry): Promise<Manifest> {
  if (entry.name !== MANIFEST) throw foreign()
  const manifest = manifestSchema.safeParse(await json(entry))
  if (!manifest.success) throw foreign()
  if (manifest.data.format > FORMAT) throw new BackupError('newer', 'a newer version of Mayfly made this backup')
  return manifest.data
}

/** Stores a blob and reads it back. */
async function isStored(files: FileStore, key: string, size: number, body: Readable): Promise<boolean> {
  const sent = createHash('sha256')
  await files.put(key, hashed(body, sent), size)
  const back = createHash('sha256')
  for await (const chunk of await files.get(key)) back.update(chunk)
  return back.digest('hex') === sent.digest('hex')
}

async function json({ size, body }: Entry): Promise<unknown> {
  if (size > SMALL) throw foreign()
  return parsed(await textOf(body))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function drain(body: Readable): Promise<void> {
  for await (const _ of body);
}

const damaged = (what: string) => new BackupError('damaged', `the backup is damaged: ${what}`)
const foreign = () => new BackupError('foreign', 'this is no backup of Mayfly')
