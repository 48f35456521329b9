/** `mayfly restore`: restores a backup into an empty instance on any engine. */
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { RowStore, Storage } from '#core'
import {
  type BackupError,
  type BackupKey,
  COPY_PROGRESS_KEY,
  entriesOf,
  type Journal,
  type Manifest,
  type Restored,
  readJournal,
  restore,
  verify,
} from '#core/backup'
import { CLOCK_KEY } from '#core/runtime'
import { takeCleanupLease } from '../../instance/cleanup-lease.js'
import { loadConfigForFlags } from '../../instance/instance-config.js'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { requireCurrentSchema, requireRows, type Stores, withStores } from '../../instance/open-stores.js'
import { CliError } from '../../lib/cli-error.js'
import { formatTime } from '../../output/format-expiry.js'
import { type Io, resolvePath } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { type Authority, getAuthority, requireAuthority } from './backup-authority.js'
import { decryptStream } from './backup-encryption.js'
import { type KeyFlags, listKnownKeys, readStoredKeys } from './backup-keys.js'

export interface RestoreFlags extends InstanceFlags, KeyFlags {
  tombstones?: string
  secrets: boolean
  replace?: true
  confirm?: string
  dryRun?: true
  acceptUnauthenticated?: true
  identityFile?: string
  passphraseFile?: string
}

/**
 * Throws CliError: `check_failed` for a damaged backup or when the restored data differs, `conflict` for a target that
 * is in use or not empty, `usage`, `unavailable`, `wrong_password`.
 */
export async function restoreBackup(
  file: string | undefined,
  flags: RestoreFlags & GlobalFlags,
  io: Io,
): Promise<void> {
  if (file === undefined) throw new CliError('usage', 'missing argument: file', 'name a backup file, or - for stdin')
  if (flags.tombstones !== undefined && flags.secrets === false) {
    throw new CliError('usage', '--tombstones and --no-secrets exclude each other')
  }
  const isFile = file !== '-'
  if (isFile) await requireReadable(file, io)
  const source = () => (isFile ? createReadStream(resolvePath(io, file)) : Readable.from(io.streamStdin('the backup')))
  const { settings } = await loadConfigForFlags(flags, io)
  const keys = await listKnownKeys(flags, settings.instanceKey, io)
  const read = async (): Promise<BackupSource> => {
    const { stream, isAuthenticated } = await decryptStream(source(), flags, io)
    return { entries: entriesOf(stream, settings.maxTextBytes), isAuthenticated }
  }
  try {
    // A file is read twice, so that a damaged one is found before any change.
    if (isFile || flags.dryRun) {
      const { entries, isAuthenticated } = await read()
      const { manifest, summary, key } = await verify(
        entries,
        keys,
        async (found) => void (flags.dryRun || (await loadJournal(found, flags, io))),
      )
      const authority = getAuthority(key, isAuthenticated)
      if (flags.dryRun) return await printContents(manifest, summary.rows, authority, flags, io)
    }
    // It may create the database: the backup may be all that is left.
    await withStores(
      flags,
      io,
      (stores) => restoreInto(stores, { read, isFile, keys }, flags, io),
      () => {},
    )
  } catch (error) {
    throw toCliError(error)
  }
}

interface BackupSource {
  entries: ReturnType<typeof entriesOf>
  isAuthenticated: boolean
}

interface Backup {
  /** Reads it from the start. A pipe can be read once. */
  read(): Promise<BackupSource>
  isFile: boolean
  /** Known keys. */
  keys: BackupKey[]
}

async function restoreInto(
  { storage, files }: Stores,
  { read, isFile, keys }: Backup,
  flags: RestoreFlags & GlobalFlags,
  io: Io,
): Promise<void> {
  await storage.migrate()
  const rows = requireRows(storage)
  const target = { rows, files, journal: null as Journal | null }
  const release = await takeCleanupLease(storage)
  if (!release) {
    throw new CliError('conflict', 'a server is running on the target', 'stop it; if it was killed, wait a minute')
  }
  try {
    const stored = await readStoredKeys(storage)
    const allKeys = [...keys, ...stored]
    if (isFile && stored.length > 0) await verify((await read()).entries, allKeys)
    const { entries, isAuthenticated } = await read()
    let authority: Authority = null
    const result = await restore(entries, target, allKeys, async (manifest, key) => {
      authority = getAuthority(key, isAuthenticated)
      requireAuthority(authority, manifest, flags, io)
      await requireRestorableSchema(manifest, storage)
      target.journal = await loadJournal(manifest, flags, io)
      if (manifest.files && target.journal && !files) {
        throw new CliError(
          'usage',
          'the backup contains files, but the instance has no file store',
          'configure a file store (files), or use --no-secrets',
        )
      }
      await emptyTarget(storage, files, flags)
      // Marks the target as incomplete: no server starts on it until the restore is done.
      await storage.instanceState.set(COPY_PROGRESS_KEY, JSON.stringify({ done: [], after: null }))
      // Secrets that had expired when the backup was made stay expired, even if the system clock is behind.
      await storage.instanceState.set(CLOCK_KEY, String(manifest.createdAt))
    })
    if (result.different.length > 0) {
      const what = result.different.join(', ')
      throw new CliError(
        'check_failed',
        `the target differs from the backup in ${what}`,
        'check the log and the disk of the database',
      )
    }
    await storage.instanceState.delete(COPY_PROGRESS_KEY)
    await printResult(result, authority, flags, io)
  } finally {
    await release()
  }
}

/** Returns null when no secrets are restored. */
async function loadJournal(manifest: Manifest, { tombstones, secrets }: RestoreFlags, io: Io): Promise<Journal | null> {
  if (!manifest.secrets || secrets === false) return null
  if (tombstones === undefined) {
    throw new CliError(
      'usage',
      'the backup contains secrets, some of which may have ended since',
      'pass the journal of the instance with --tombstones, or use --no-secrets',
    )
  }
  const journal = await readJournal(resolvePath(io, tombstones)).catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `cannot read --tombstones: ${error.code}`)
  })
  if (journal.completeSince !== null && journal.completeSince <= manifest.createdAt) return journal
  const since = journal.completeSince === null ? 'has a gap' : 'starts after the backup was created'
  throw new CliError(
    'conflict',
    `the journal ${since}, so secrets that ended cannot be left out`,
    'use --no-secrets to restore the rest',
  )
}

async function requireRestorableSchema(manifest: Manifest, storage: Storage): Promise<void> {
  const schema = await requireCurrentSchema(storage)
  if (manifest.schema.join() === schema.join()) return
  const hint = `restore it with Mayfly ${manifest.mayfly}, which created it, then upgrade`
  throw new CliError('conflict', 'the backup has a different schema than this version', hint)
}

async function emptyTarget(
  storage: Storage,
  files: Stores['files'],
  { replace, confirm }: RestoreFlags,
): Promise<void> {
  const rows = requireRows(storage)
  const filled: string[] = []
  for (const { name } of rows.tables) if ((await rows.count(name)) > 0) filled.push(name)
  if (filled.length === 0) return
  if (await isNewInstance(rows, filled)) return rows.clear()
  const name = basename(storage.location ?? '')
  if (!replace) {
    throw new CliError(
      'conflict',
      `the target is not empty: rows in ${filled.join(', ')}`,
      `use --replace --confirm ${name} to delete them`,
    )
  }
  if (confirm !== name) {
    throw new CliError(
      'usage',
      '--replace deletes everything in the target and must be confirmed',
      `use --confirm ${name}`,
    )
  }
  await rows.clear()
  for await (const { key } of files?.list() ?? []) await files?.delete(key)
  await storage.scrub()
}

/** Tables that a setup and the first starts of a server fill. */
const TABLES_OF_SETUP = ['instance_state', 'audit', 'idempotency_records', 'claims', 'stats', 'rate_limits']
/** A setup leaves three entries, a start of the server one. */
const NEW_AUDIT_MAX = 100

/** Whether the target was set up, and has neither users nor secrets nor settings. */
const isNewInstance = async (rows: RowStore, filled: string[]): Promise<boolean> =>
  filled.every((table) => TABLES_OF_SETUP.includes(table)) && (await rows.count('audit')) <= NEW_AUDIT_MAX

async function requireReadable(file: string, io: Io): Promise<void> {
  await access(resolvePath(io, file)).catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `cannot read ${file}: ${error.code}`)
  })
}

async function printResult(
  { rows, blobs, ended }: Restored,
  authority: Authority,
  { json }: GlobalFlags,
  io: Io,
): Promise<void> {
  if (json) return io.writeJson({ rows, blobs, ended, authenticated_by: authority })
  const { users = 0, secrets = 0, attachments = 0 } = rows
  const files = attachments > 0 ? `, ${formatCount(attachments, 'file')}` : ''
  io.note(`restored ${formatCount(users, 'user')}, ${formatCount(secrets, 'secret')}${files}`)
  if (ended > 0) io.note(`${formatCount(ended, 'secret')} ended after the backup, not restored`)
}

async function printContents(
  manifest: Manifest,
  rows: Record<string, number>,
  authority: Authority,
  { json }: GlobalFlags,
  io: Io,
): Promise<void> {
  const { createdAt, ...contents } = manifest
  const created = formatTime(createdAt)
  if (json) return io.writeJson({ ...contents, created_at: created, rows, authenticated_by: authority })
  const lines = Object.entries(rows).map(([table, count]) => `${table}\t${count}\n`)
  await io.write(
    `made\t${created}\nmayfly\t${manifest.mayfly}\nauthenticated\t${authority ?? 'not checked'}\n${lines.join('')}`,
  )
}

const TOO_LARGE_HINT = 'check who made it; if its instance allows longer texts, set maxTextBytes to the value there'

/** Converts a BackupError to a CliError; returns other errors unchanged. */
function toCliError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'BackupError') return error
  const { problem, message } = error as BackupError
  if (problem === 'newer') return new CliError('conflict', message, 'use that version to restore it')
  if (problem === 'too-large') return new CliError('check_failed', message, TOO_LARGE_HINT)
  return new CliError('check_failed', message, 'check that the backup was copied completely')
}
