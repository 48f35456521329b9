/** From an instance, which may be at work, to the entries of a backup. */
import type { Readable } from 'node:stream'
import { blobKey } from '../attachments/blob-key.js'
import { storedPartLength } from '../attachments/part-layout.js'
import type { FileStore } from '../contracts/file-store.js'
import type { PlainRow, RowStore } from '../contracts/rows.js'
import { isOpen } from '../contracts/secret-state.js'
import { PROGRESS } from '../copying/rows.js'
import { isAppError } from '../errors.js'
import { archiveSum, type Entry, entryOf } from './archive.js'
import { ACCOUNTS } from './contents.js'
import { blobName, FORMAT, MANIFEST, type Manifest, rowsName, SUMMARY, type Summary } from './format.js'

const BATCH = 500
/** Secrets at a time: their texts are in memory together. */
const SECRETS_AT_ONCE = 16

interface Source {
  rows: RowStore
  /** null: without what is in files. */
  files: FileStore | null
  /** Epoch ms. */
  now: number
}

interface Options {
  secrets: boolean
  /** Version of the program. */
  mayfly: string
  schema: string[]
  /** Called with the end of it, before its last entry is read. */
  onEnd(summary: Summary): void
}

/**
 * Secrets that end meanwhile may be in it or not. What is in it is whole: a secret with its text and all its files. Those
 * that can no longer be opened are left out.
 */
export async function* backupEntries(source: Source, options: Options): AsyncGenerator<Entry> {
  const { secrets, mayfly, schema, onEnd } = options
  const summary: Summary = { rows: {}, blobs: 0, bytes: 0, sha256: '' }
  const sum = archiveSum()
  const manifest: Manifest = {
    ...{ format: FORMAT, mayfly, createdAt: source.now, schema },
    ...{ secrets, files: secrets && source.files !== null },
  }
  for await (const entry of entries(source, manifest, summary)) {
    yield sum.over(entry)
  }
  summary.sha256 = sum.hex()
  onEnd(summary)
  yield entryOf(SUMMARY, JSON.stringify(summary))
}

async function* entries(source: Source, manifest: Manifest, summary: Summary): AsyncGenerator<Entry> {
  let number = 0
  const rowsEntry = (table: string, rows: PlainRow[]): Entry => {
    summary.rows[table] = (summary.rows[table] ?? 0) + rows.length
    return entryOf(rowsName(table, number++), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  yield entryOf(MANIFEST, JSON.stringify(manifest))
  for (const table of ACCOUNTS.filter((name) => source.rows.tables.includes(name))) {
    for await (const rows of batches(source.rows, table, BATCH)) {
      yield rowsEntry(
        table,
        rows.filter(({ name }) => table !== 'settings' || name !== PROGRESS),
      )
    }
  }
  if (!manifest.secrets) return
  for await (const rows of batches(source.rows, 'secrets', SECRETS_AT_ONCE)) {
    const unit = await unitOf(source, rows)
    for (const { secretId, key, size } of unit.blobs) {
      const body = unit.ids.has(secretId) ? await found(source.files, key) : null
      // Its secret has ended meanwhile. What is in already of its files is dropped by whoever restores.
      if (!body) {
        unit.ids.delete(secretId)
        continue
      }
      summary.blobs += 1
      summary.bytes += size
      yield { name: blobName(key), size, body }
    }
    for (const [table, column] of Object.entries(OWNER)) {
      const some = (unit.rows[table] ?? []).filter((row) => unit.ids.has(unit.secretOf(row[column])))
      if (some.length > 0) yield rowsEntry(table, some)
    }
  }
}

/** The column that leads to the secret, by way of the file for its parts. */
const OWNER: Record<string, string> = {
  secrets: 'id',
  texts: 'secret_id',
  attachments: 'secret_id',
  attachment_parts: 'attachment_id',
}

interface Unit {
  /** Secrets that are there with all that is theirs. */
  ids: Set<string>
  rows: Record<string, PlainRow[]>
  blobs: { secretId: string; key: string; size: number }[]
  /** Id of a secret from its own, or from that of one of its files. */
  secretOf(id: unknown): string
}

/** A few secrets with all that is theirs. One that can no longer be opened, or ends meanwhile, is left out. */
async function unitOf({ rows, files, now }: Source, some: PlainRow[]): Promise<Unit> {
  const secrets = some.filter((row) => isOpenRow(row, now))
  const texts = await rows.find('texts', 'secret_id', idsOf(secrets))
  const attachments = await rows.find('attachments', 'secret_id', idsOf(secrets))
  const parts = await rows.find('attachment_parts', 'attachment_id', idsOf(attachments))
  const byFile = new Map(attachments.map(({ id, secret_id }) => [id, String(secret_id)]))
  const secretOf = (id: unknown) => byFile.get(id as string) ?? String(id)
  const withText = new Set(texts.map(({ secret_id }) => secret_id))
  const isWhole = ({ id, files: count }: PlainRow) => {
    const mine = attachments.filter(({ secret_id }) => secret_id === id)
    const expected = mine.reduce((sum, file) => sum + Number(file.parts), 0)
    const stored = parts.filter(({ attachment_id }) => byFile.get(attachment_id as string) === id)
    return withText.has(id as string) && mine.length === count && stored.length === expected && (count === 0 || files)
  }
  const blobs = attachments.flatMap(({ id, secret_id, blob, size, parts: count }) =>
    parts.flatMap(({ attachment_id, position }) => {
      const index = Number(position)
      const length = storedPartLength({ size: Number(size), parts: Number(count) }, index)
      if (attachment_id !== id || length === null) return []
      return [{ secretId: String(secret_id), key: blobKey(String(blob), index), size: length }]
    }),
  )
  const ids = new Set(idsOf(secrets.filter(isWhole)))
  return { ids, rows: { secrets, texts, attachments, attachment_parts: parts }, blobs, secretOf }
}

const idsOf = (rows: PlainRow[]): string[] => rows.map(({ id }) => String(id))

function isOpenRow({ expires_at, max_views, views, prevent_burn }: PlainRow, now: number): boolean {
  const maxViews = max_views === null ? null : Number(max_views)
  const secret = { maxViews, views: Number(views), preventBurn: Boolean(prevent_burn), expiresAt: Number(expires_at) }
  return isOpen(secret, now)
}

async function found(files: FileStore | null, key: string): Promise<Readable | null> {
  try {
    return files && (await files.get(key))
  } catch (error) {
    if (isAppError(error, 'file.not_found')) return null
    throw error
  }
}

async function* batches(rows: RowStore, table: string, size: number): AsyncGenerator<PlainRow[]> {
  let some = await rows.read(table, null, size)
  while (some.length > 0) {
    yield some
    some = await rows.read(table, some.at(-1) as PlainRow, size)
  }
}
