/** Whether the database and the file store of a config work: tried at once, with the usual causes when they do not. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FileStore, Storage } from '#core'
import { noLog } from '#core/runtime'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { describeLocation, withFileStore, withStorage } from '../../instance/open-database.js'
import { CliError } from '../../lib/cli-error.js'
import { describeError } from '../../output/error-output.js'
import type { Io } from '../../output/io.js'

const CAUSES = {
  sqlite: 'the folder is not ours to write; the disk is full; the file is no database',
  database:
    'nothing listens there: is host and port right, is it started; a firewall or its own rules keep this machine out; user, password or name of the database are wrong',
  local: 'the folder is not ours to write; the disk is full; it is on a mount that is read-only',
  s3: 'endpoint, region or s3.pathStyle are wrong; the bucket does not exist; the key may not read, write and delete in it',
}

/** Answers what it is and where. With `isDry` nothing is made. Throws CliError `usage` or `unavailable`. */
export async function checkDatabase(boot: InstanceConfig, isDry: boolean, io: Io): Promise<string> {
  const { storage } = boot.settings
  const isFile = storage === 'sqlite'
  if (isDry && isFile && !existsSync(getSqliteFile(boot))) return `${storage} (not there yet)`
  const look = async (opened: Storage) => {
    await opened.migrations?.status()
    return describeLocation(storage, opened, io)
  }
  return withCauses(withStorage(boot, noLog, look), isFile ? CAUSES.sqlite : CAUSES.database)
}

/** Where SQLite keeps everything, or would. */
function getSqliteFile({ settings, plugins }: InstanceConfig): string {
  const { options } = plugins.find(({ plugin }) => plugin.name === 'sqlite') ?? {}
  return resolve(settings.dataDir, String(options?.file))
}

/** The same for the file store: one blob goes there, comes back and is removed. */
export async function checkFileStore(boot: InstanceConfig, isDry: boolean, io: Io): Promise<string> {
  const { files } = boot.settings
  if (files === '') return 'no files'
  const isFolder = files === 'local-files'
  if (isDry && isFolder) return `${files} (not tried)`
  const look = async (store: FileStore) => {
    if (isDry) await store.ping()
    else await checkRoundTrip(store)
    return describeLocation(files, store, io)
  }
  return (await withCauses(withFileStore(boot, noLog, look), isFolder ? CAUSES.local : CAUSES.s3)) ?? files
}

async function checkRoundTrip(store: FileStore): Promise<void> {
  const key = randomBytes(16).toString('hex')
  const bytes = randomBytes(64)
  await store.put(key, Readable.from([bytes]), bytes.length)
  const same = bytes.equals(await buffer(await store.get(key)))
  await store.delete(key)
  if (!same) throw new CliError('check_failed', 'the file store does not give back what was put there')
}

async function withCauses<T>(work: Promise<T>, causes: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { outcome, message } = describeError(error)
    const isOurs = outcome === 'usage' || outcome === 'check_failed'
    throw new CliError(
      isOurs ? outcome : 'unavailable',
      getAppErrorMessage(error) ?? message,
      isOurs ? undefined : `usual causes: ${causes}`,
    )
  }
}

/** A store says why by itself; anything else is in the words of the report. */
const getAppErrorMessage = (error: unknown) =>
  error instanceof Error && error.name === 'AppError' ? error.message : undefined
