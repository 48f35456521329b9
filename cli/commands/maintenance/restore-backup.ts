/** `mayfly restore`: a backup into an empty instance, on whatever engine. */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { Storage } from '#core'
import {
  type BackupError,
  COPY_PROGRESS_KEY,
  entriesOf,
  type Journal,
  type Manifest,
  type Restored,
  readJournal,
  restore,
  verify,
} from '#core/runtime'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { currentSchema, rowsOf, type Stores, withStores } from '../../instance/open-stores.js'
import { CliError } from '../../lib/cli-error.js'
import { type Io, resolvePath } from '../../output/io.js'
import { counted } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { opened } from './backup-encryption.js'

export interface RestoreFlags extends InstanceFlags {
  tombstones?: string
  secrets: boolean
  replace?: true
  confirm?: string
  dryRun?: true
  identityFile?: string
  passphraseFile?: string
}

/** As long as the cleanup lease of a running server. */
const LEASE_MS = 60_000

/**
 * Throws CliError: `check_failed` for a backup that is damaged or a target that does not hold it in the end, `conflict` for
 * a target that is in use or not empty, `usage`, `unavailable`, `wrong_password`.
 */
export async function restoreBackup(
  file: string | undefined,
  flags: RestoreFlags & GlobalFlags,
  io: Io,
): Promise<void> {
  if (file === undefined) throw new CliError('usage', 'which backup?', 'name a file, or - for stdin')
  if (flags.tombstones !== undefined && flags.secrets === false) {
    throw new CliError('usage', '--tombstones and --no-secrets exclude each other')
  }
  const isFile = file !== '-'
  if (isFile) await refuseUnreadable(file, io)
  const source = () => (isFile ? createReadStream(resolvePath(io, file)) : Readable.from(io.stream('the backup')))
  const read = async () => entriesOf(await opened(source(), flags, io))
  try {
    // A file is read twice, so that a damaged one changes nothing.
    if (isFile || flags.dryRun) {
      const { manifest, summary } = await verify(
        await read(),
        async (found) => void (flags.dryRun || (await journalFor(found, flags, io))),
      )
      if (flags.dryRun) return await tellContents(manifest, summary.rows, flags, io)
    }
    await withStores(flags, io, async (stores) => into(stores, await read(), flags, io))
  } catch (error) {
    throw asCliError(error)
  }
}

async function into(
  { storage, files }: Stores,
  entries: ReturnType<typeof entriesOf>,
  flags: RestoreFlags & GlobalFlags,
  io: Io,
): Promise<void> {
  await storage.migrate()
  const rows = rowsOf(storage)
  const target = { rows, files, journal: null as Journal | null }
  const release = await takeLease(storage)
  try {
    const result = await restore(entries, target, async (manifest) => {
      await refuseOtherSchema(manifest, storage)
      target.journal = await journalFor(manifest, flags, io)
      if (manifest.files && target.journal && !files) {
        throw new CliError(
          'usage',
          'the backup has files, and the instance keeps none',
          'set files, or use --no-secrets',
        )
      }
      await makeEmpty(storage, files, flags)
      // Until all is there the target says what it is, and no server starts on it.
      await storage.settings.set({ [COPY_PROGRESS_KEY]: JSON.stringify({ done: [], after: null }) })
    })
    if (result.different.length > 0) {
      const what = result.different.join(', ')
      throw new CliError(
        'check_failed',
        `the target does not hold what was written: ${what}`,
        'look at its log and disk',
      )
    }
    await storage.settings.set({ [COPY_PROGRESS_KEY]: null })
    await tell(result, flags, io)
  } finally {
    await release()
  }
}

/** Null: the secrets of the backup, if it has any, are left out. */
async function journalFor(manifest: Manifest, { tombstones, secrets }: RestoreFlags, io: Io): Promise<Journal | null> {
  if (!manifest.secrets || secrets === false) return null
  if (tombstones === undefined) {
    throw new CliError(
      'usage',
      'the backup has secrets, and some may have ended since',
      'name the journal of the instance with --tombstones, or use --no-secrets',
    )
  }
  const journal = await readJournal(resolvePath(io, tombstones)).catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `--tombstones could not be read: ${error.code}`)
  })
  if (journal.completeSince !== null && journal.completeSince <= manifest.createdAt) return journal
  const since = journal.completeSince === null ? 'has a gap' : 'begins after the backup was made'
  throw new CliError(
    'conflict',
    `the journal ${since}, so nobody can tell which secrets have ended`,
    'use --no-secrets to restore the rest',
  )
}

async function refuseOtherSchema(manifest: Manifest, storage: Storage): Promise<void> {
  const schema = await currentSchema(storage)
  if (schema.join() === manifest.schema.join()) return
  const hint = `use Mayfly ${manifest.mayfly}, which made it, and bring the result up to date afterwards`
  throw new CliError('conflict', 'the backup has another schema than this version of Mayfly', hint)
}

/** Throws CliError `conflict` when a server works on the target. Answers how to give the lease back. */
async function takeLease({ leases }: Storage): Promise<() => Promise<void>> {
  const holder = randomBytes(16).toString('hex')
  const now = Date.now()
  if (!(await leases.acquire('sweep', holder, now + LEASE_MS, now))) {
    throw new CliError('conflict', 'a server is at work on the target', 'stop it, and wait a minute if it was killed')
  }
  return async () => void (await leases.acquire('sweep', holder, 0, Date.now()))
}

async function makeEmpty(storage: Storage, files: Stores['files'], { replace, confirm }: RestoreFlags): Promise<void> {
  const rows = rowsOf(storage)
  const filled: string[] = []
  for (const table of rows.tables) if ((await rows.count(table)) > 0) filled.push(table)
  if (filled.length === 0) return
  const name = basename(storage.location ?? '')
  if (!replace) {
    throw new CliError(
      'conflict',
      `the target is not empty: there are rows in ${filled.join(', ')}`,
      `--replace --confirm ${name} deletes them`,
    )
  }
  if (confirm !== name) {
    throw new CliError('usage', '--replace deletes everything in the target', `say so with --confirm ${name}`)
  }
  await rows.clear()
  for await (const { key } of files?.list() ?? []) await files?.delete(key)
  await storage.scrub()
}

async function refuseUnreadable(file: string, io: Io): Promise<void> {
  await access(resolvePath(io, file)).catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `${file} could not be read: ${error.code}`)
  })
}

async function tell({ rows, blobs, ended }: Restored, { json }: GlobalFlags, io: Io): Promise<void> {
  if (json) return io.write(`${JSON.stringify({ rows, blobs, ended })}\n`)
  const { users = 0, secrets = 0, attachments = 0 } = rows
  const files = attachments > 0 ? `, ${counted(attachments, 'file')}` : ''
  io.note(`restored ${counted(users, 'user')}, ${counted(secrets, 'secret')}${files}`)
  if (ended > 0) io.note(`${counted(ended, 'secret')} had ended since the backup and did not come back`)
}

async function tellContents(
  manifest: Manifest,
  rows: Record<string, number>,
  { json }: GlobalFlags,
  io: Io,
): Promise<void> {
  const created = new Date(manifest.createdAt).toISOString()
  if (json) return io.write(`${JSON.stringify({ ...manifest, createdAt: created, rows })}\n`)
  const lines = Object.entries(rows).map(([table, count]) => `${table}\t${count}\n`)
  await io.write(`made\t${created}\nmayfly\t${manifest.mayfly}\n${lines.join('')}`)
}

/** Told apart by name, so that whatever else happened keeps its own words. */
function asCliError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'BackupError') return error
  const { problem, message } = error as BackupError
  if (problem === 'newer') return new CliError('conflict', message, 'use that version to restore it')
  return new CliError('check_failed', message, 'was it copied whole?')
}
