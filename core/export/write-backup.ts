/** Creates the entries of a backup from an instance, which may be running. */
import type { Readable } from 'node:stream'
import type { FileStore } from '../contracts/file-store.js'
import type { PlainRow, RowStore } from '../contracts/rows.js'
import { isOpen } from '../contracts/secret-state.js'
import { isAppError } from '../lib/errors.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { archiveSum, type Entry, entryOf } from './archive.js'
import { blobName, FORMAT, MANIFEST, type Manifest, rowsName, SUMMARY, type Summary } from './backup-format.js'
import type { BackupKey } from './backup-key.js'
import { emptyPrivateColumns, listTables } from './backup-tables.js'
import { joinLines } from './entry-limits.js'
import { readBatches, toBlob } from './stored-rows.js'

const BATCH = 500
/** Secrets per group. Their texts are in memory at the same time. */
const SECRETS_AT_ONCE = 16

interface Source {
  rows: RowStore
  /** null: secrets with files are left out. */
  files: FileStore | null
  now: EpochMs
}

interface Options {
  secrets: boolean
  /** Includes the hashes of API tokens. */
  tokens: boolean
  /** Authenticates the backup. */
  key: BackupKey
  /** Version of Mayfly. */
  mayfly: string
  /** Names of the migrations, in order. */
  schema: string[]
  /** Called with the summary before the last entry is read. */
  onEnd(summary: Summary): void
}

/**
 * Yields the entries of a backup. Each secret in it is complete, with its text and all its files. Secrets that cannot
 * be viewed any more are left out; secrets that end while the backup runs may be in it.
 */
export async function* backupEntries(source: Source, options: Options): AsyncGenerator<Entry> {
  const { secrets, tokens, key, mayfly, schema, onEnd } = options
  const summary: Summary = { rows: {}, blobs: 0, bytes: 0, sha256: '' }
  const sum = archiveSum()
  const manifest: Manifest = {
    format: FORMAT,
    mayfly,
    createdAt: source.now,
    schema,
    secrets,
    files: secrets && source.files !== null,
    tokens,
    key: key.id,
  }
  for await (const entry of dataEntries(source, manifest, summary)) {
    yield sum.addEntry(entry)
  }
  summary.sha256 = sum.hex()
  summary.mac = key.sign(summary)
  onEnd(summary)
  yield entryOf(SUMMARY, JSON.stringify(summary))
}

async function* dataEntries(source: Source, manifest: Manifest, summary: Summary): AsyncGenerator<Entry> {
  let number = 0
  function* rowsEntries(table: string, rows: PlainRow[]): Generator<Entry> {
    summary.rows[table] = (summary.rows[table] ?? 0) + rows.length
    const written = emptyPrivateColumns(source.rows, table, rows)
    const texts = joinLines(written.map((row) => `${JSON.stringify(row)}\n`))
    for (const text of texts) yield entryOf(rowsName(table, number++), text)
  }
  yield entryOf(MANIFEST, JSON.stringify(manifest))
  const tokens = manifest.tokens ? listTables(source.rows, 'tokens') : []
  for (const table of [...listTables(source.rows, 'accounts'), ...tokens]) {
    for await (const rows of readBatches(source.rows, table, BATCH)) {
      yield* rowsEntries(table, rows)
    }
  }
  if (!manifest.secrets) return
  /** Keys of blobs that other secrets may share. */
  const shared = new Set<string>()
  for await (const rows of readBatches(source.rows, 'secrets', SECRETS_AT_ONCE)) {
    const group = await loadGroup(source, rows)
    for (const { secretId, key, size, isShared } of group.blobs) {
      if (shared.has(key)) continue
      const body = group.ids.has(secretId) ? await openBlob(source.files, key) : null
      // The secret has ended meanwhile. A restore deletes its blobs that are in the backup already.
      if (!body) {
        group.ids.delete(secretId)
        continue
      }
      summary.blobs += 1
      summary.bytes += size
      yield { name: blobName(key), size, body }
      if (isShared) shared.add(key)
    }
    for (const [table, column] of Object.entries(OWNER_COLUMN)) {
      const complete = (group.rows[table] ?? []).filter((row) => group.ids.has(String(row[column])))
      yield* rowsEntries(table, complete)
    }
  }
}

/** Tables with the part `secrets`. The column with the id of the secret. */
const OWNER_COLUMN: Record<string, string> = { secrets: 'id', texts: 'secret_id', attachments: 'secret_id' }

interface Group {
  /** Ids of the complete secrets. */
  ids: Set<string>
  rows: Record<string, PlainRow[]>
  blobs: { secretId: string; key: string; size: number; isShared: boolean }[]
}

/**
 * Loads a few secrets with all their rows. Leaves out incomplete secrets and secrets that cannot be viewed any more.
 */
async function loadGroup({ rows, files, now }: Source, batch: PlainRow[]): Promise<Group> {
  const secrets = batch.filter((row) => isOpenRow(row, now))
  const texts = await rows.find('texts', 'secret_id', idsOf(secrets))
  const attachments = await rows.find('attachments', 'secret_id', idsOf(secrets))
  const idsWithText = new Set(texts.map(({ secret_id }) => secret_id))
  const isComplete = ({ id, files: count }: PlainRow) => {
    const own = attachments.filter(({ secret_id }) => secret_id === id)
    return idsWithText.has(id as string) && own.length === count && (count === 0 || files)
  }
  return {
    ids: new Set(idsOf(secrets.filter(isComplete))),
    rows: { secrets, texts, attachments },
    blobs: listBlobs(attachments),
  }
}

function listBlobs(attachments: PlainRow[]): Group['blobs'] {
  return attachments.flatMap((row) =>
    Array.from({ length: Number(row.parts) }, (_, index) => ({
      ...toBlob(row, index),
      secretId: String(row.secret_id),
      isShared: Number(row.copies) > 1,
    })),
  )
}

const idsOf = (rows: PlainRow[]): string[] => rows.map(({ id }) => String(id))

function isOpenRow({ expires_at, max_views, views, prevent_burn }: PlainRow, now: number): boolean {
  const maxViews = max_views === null ? null : Number(max_views)
  const secret = { maxViews, views: Number(views), preventBurn: Boolean(prevent_burn), expiresAt: Number(expires_at) }
  return isOpen(secret, now)
}

/** Null when the blob does not exist any more. */
async function openBlob(files: FileStore | null, key: string): Promise<Readable | null> {
  try {
    return files && (await files.get(key))
  } catch (error) {
    if (isAppError(error, 'file.not_found')) return null
    throw error
  }
}
