/** Checks of `doctor` on the file store and the tombstone journal. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FileStore, Storage } from '#core'
import { readJournal } from '#core/backup'
import { countOrphans, noLog } from '#core/runtime'
import { getFilesFolder } from '../../instance/files-folder.js'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { getJournalFolder } from '../../instance/journal-folder.js'
import { formatBytes } from '../../output/format-bytes.js'
import { formatCount } from '../../output/sanitize.js'
import { deleteExpired } from '../maintenance/purge-expired.js'
import { type CheckResult, fail, ok, warn } from './check-result.js'
import { removeCreatedFiles } from './remove-created-files.js'

/** Share of `instanceBytes`. */
const NEARLY_FULL = 0.9

export async function checkFiles(
  config: InstanceConfig,
  storage: Storage,
  files: FileStore | null,
): Promise<CheckResult[]> {
  const folder = getFilesFolder(config)
  if (!files && folder !== null) return [await checkMissingFolder(folder, storage), ...(await checkJournal(config))]
  if (!files) return [ok('files', 'store', 'turned off'), ...(await checkJournal(config))]
  const key = `doctor${randomBytes(13).toString('hex')}`
  // The store puts each blob into a subfolder by the first two characters of its key.
  const created = folder === null ? [] : [join(folder, key.slice(0, 2))]
  const store = await removeCreatedFiles(created, () => checkFileStore(files, key))
  if (store.level !== 'ok') return [store, ...(await checkJournal(config))]
  const open = warn('files', 'connection', 'not encrypted', 'use an https endpoint, see docs/file-stores.md')
  return [
    store,
    ...(files.isUnencrypted ? [open] : []),
    ...(await checkOrphans(storage, files)),
    ...(await checkStoredBytes(config, storage)),
    ...(await checkJournal(config)),
  ]
}

/** Returns the finding for a file store that did not start. `name`: the plugin. */
export function describeFileStoreFailure(name: string, message: string): CheckResult {
  const found = START_FIXES.find(([pattern]) => pattern.test(message))
  return fail('files', 'start', message, found?.[1] ?? `correct the settings ${name}.*; see docs/file-stores.md`)
}

/** By a pattern of the failure message. */
const START_FIXES: [RegExp, string][] = [
  [/there is no such bucket/, 'create the bucket, or correct its name: s3.bucket (MAYFLY_S3_BUCKET)'],
  [/access key is unknown|secret does not fit/, 'correct s3.accessKeyId and s3.secretAccessKey'],
  [/credentials do not allow/, 'allow the access key to read, write and delete objects under s3.prefix'],
  [/does not answer/, 'check s3.endpoint, that the server runs, and the firewall'],
  [/is public/, 'make the bucket private'],
  [/EACCES|EPERM|EROFS/, 'make the user of the server the owner of the folder of the files'],
]

/** The server creates the folder. Files without their folder are on a disk that is not mounted. */
async function checkMissingFolder(folder: string, storage: Storage): Promise<CheckResult> {
  const stored = (await storage.attachments.sumBytes().catch(() => null)) ?? 0
  if (stored === 0) return ok('files', 'store', `${folder} does not exist yet`)
  const fix = 'mount the disk of the files, or correct local-files.folder (MAYFLY_LOCAL_FILES_FOLDER)'
  return fail('files', 'store', `${folder} does not exist, but ${formatBytes(stored)} are stored there`, fix)
}

async function checkFileStore(files: FileStore, key: string): Promise<CheckResult> {
  const bytes = randomBytes(1000)
  try {
    await files.put(key, Readable.from([bytes]), bytes.length)
    const chunks: Buffer[] = []
    for await (const chunk of await files.get(key)) chunks.push(chunk)
    const isSame = Buffer.concat(chunks).equals(bytes)
    if (!isSame) return fail('files', 'store', 'returns different bytes than were stored', 'see docs/file-stores.md')
    return ok('files', 'store', `${files.location ?? 'file store'} returns the stored bytes`)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    return fail('files', 'store', why, 'see docs/file-stores.md')
  } finally {
    await files.delete(key).catch(() => {})
  }
}

/** Younger blobs may belong to an upload that has just begun. */
async function checkOrphans(storage: Storage, files: FileStore): Promise<CheckResult[]> {
  // A database with an old schema has no table to compare with.
  const count = await countOrphans({ store: storage.attachments, files, now: Date.now }).catch(() => null)
  if (count === null) return []
  if (count === 0) return [ok('files', 'orphans', 'every blob belongs to a secret')]
  const what = `${formatCount(count, 'blob')} of the file store belong to no secret`
  const repair = () => deleteExpired({ storage, files }, { orphans: true, log: noLog })
  return [{ ...warn('files', 'orphans', what, 'start the server, or run `mayfly purge --orphans`'), repair }]
}

async function checkStoredBytes({ settings }: InstanceConfig, storage: Storage): Promise<CheckResult[]> {
  // A database with an old schema has no counter.
  const stored = await storage.attachments.sumBytes().catch(() => null)
  if (stored === null) return []
  const { instanceBytes } = settings
  if (instanceBytes === null) return [ok('files', 'quota', `${formatBytes(stored)} stored, no limit`)]
  const what = `${formatBytes(stored)} of ${formatBytes(instanceBytes)} stored`
  const fix = 'raise instanceBytes, or delete secrets; above the limit, uploads are refused'
  return [stored > NEARLY_FULL * instanceBytes ? warn('files', 'quota', what, fix) : ok('files', 'quota', what)]
}

async function checkJournal(config: InstanceConfig): Promise<CheckResult[]> {
  const folder = getJournalFolder(config)
  if (folder === null) return []
  const read = await readJournal(folder).catch(() => null)
  if (read?.completeSince) {
    return [ok('files', 'tombstones', `complete since ${new Date(read.completeSince).toISOString()}`)]
  }
  const fix = `check the free space in ${folder}, then restart the server`
  return [fail('files', 'tombstones', 'incomplete, a restore of secrets is not possible', fix)]
}
