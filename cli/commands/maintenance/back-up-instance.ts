/** `mayfly backup`: writes the instance to one stream. */
import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync, rmSync } from 'node:fs'
import { open, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { archive, backupEntries, recordBackup, type Summary } from '#core/backup'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { getJournalFolder } from '../../instance/journal-folder.js'
import { requireCurrentSchema, requireRows, type Stores, withStores } from '../../instance/open-stores.js'
import { CliError } from '../../lib/cli-error.js'
import { onExit } from '../../lib/signals.js'
import { version } from '../../lib/version.js'
import { formatBytes } from '../../output/format-bytes.js'
import { type Io, resolvePath } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { createEncrypter, encryptStream } from './backup-encryption.js'
import { type KeyFlags, resolveBackupKey } from './backup-keys.js'

export interface BackupFlags extends InstanceFlags, KeyFlags {
  includeSecrets?: true
  withTokens?: true
  files: boolean
  recipient?: string[]
  passphraseFile?: string
}

/** Throws CliError: `usage`, `unavailable`, `conflict` for another schema version or an existing file. */
export async function backUp(file: string | undefined, flags: BackupFlags & GlobalFlags, io: Io): Promise<void> {
  const toStdout = file === undefined || file === '-'
  if (toStdout && io.isTty.stdout) {
    throw new CliError('usage', 'refusing to write a backup to a terminal', 'name a file, or pipe it into a program')
  }
  if (!toStdout && existsSync(resolvePath(io, file)))
    throw new CliError('conflict', `${file} exists already`, 'choose another name')
  const encrypter = await createEncrypter(flags, io)
  await withStores(flags, io, async (stores) => {
    const schema = await requireCurrentSchema(stores.storage)
    if (flags.includeSecrets) await requireJournal(stores)
    let summary: Summary | undefined
    const source = {
      rows: requireRows(stores.storage),
      files: flags.files && flags.includeSecrets ? stores.files : null,
      now: Date.now(),
    }
    const entries = backupEntries(source, {
      secrets: flags.includeSecrets ?? false,
      tokens: flags.withTokens ?? false,
      key: await resolveBackupKey(flags, stores.config, stores.storage, io),
      mayfly: version,
      schema,
      onEnd: (end) => {
        summary = end
      },
    })
    const stream = await encryptStream(archive(entries), encrypter)
    await (toStdout ? writeToStdout(stream, io) : writeToFile(stream, resolvePath(io, file), io))
    await recordBackup(stores.storage.instanceState, Date.now()).catch(() => {
      io.warn('the time of this backup could not be stored: the metric mayfly_last_backup_timestamp_seconds is too old')
    })
    printSummary(summary as Summary, toStdout, flags, io)
  })
}

/** A restore needs the journal to leave out secrets that ended after the backup. */
async function requireJournal({ config }: Stores): Promise<void> {
  const folder = getJournalFolder(config)
  const names = folder ? await readdir(folder).catch(() => []) : []
  if (names.some((name) => name.endsWith('.log'))) return
  throw new CliError(
    'usage',
    '--include-secrets needs an instance with the plugin "tombstones"',
    'without it a restore would bring back burned secrets; see docs/backup.md',
  )
}

async function writeToStdout(stream: Readable, io: Io): Promise<void> {
  for await (const chunk of stream) await io.write(chunk)
}

/** Writes to a temporary file with mode 0600 and renames it at the end. */
async function writeToFile(stream: Readable, file: string, io: Io): Promise<void> {
  const temporary = join(dirname(file), `.mayfly-backup-${randomBytes(6).toString('hex')}`)
  let isThere = true
  onExit(io.cleanup, () => {
    if (isThere) rmSync(temporary, { force: true })
  })
  await pipeline(stream, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }))
  const written = await open(temporary, 'r+')
  await written.sync().finally(() => written.close())
  await rename(temporary, file)
  isThere = false
}

function printSummary({ rows, blobs, bytes, sha256 }: Summary, toStdout: boolean, { json }: GlobalFlags, io: Io): void {
  if (json && !toStdout) return void io.writeJson({ rows, blobs, bytes, sha256 })
  const { users = 0, secrets = 0, attachments = 0 } = rows
  const files = attachments > 0 ? `, ${formatCount(attachments, 'file')} (${formatBytes(bytes)})` : ''
  io.note(`backed up ${formatCount(users, 'user')}, ${formatCount(secrets, 'secret')}${files}`)
}
