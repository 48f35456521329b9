/** Checks the database and the file store of a config. Errors list the usual causes. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FileStore, Storage } from '#core'
import { findOperatorError, noLog } from '#core/runtime'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { CHECK_SETTINGS, describeLocation, withFileStore, withStorage } from '../../instance/open-database.js'
import { getSqliteFile } from '../../instance/require-database.js'
import { CliError } from '../../lib/cli-error.js'
import { describeError } from '../../output/error-output.js'

const CAUSES = {
  sqlite: 'the folder is not writable; the disk is full; the file is not a SQLite database',
  database:
    'host or port is wrong, or the database is not running; a firewall or the database rejects this machine; user, password or database name is wrong',
  local: 'the folder is not writable; the disk is full; the file system is read-only',
  s3: 'endpoint, region or s3.pathStyle is wrong; the bucket does not exist; the key has no permission to read, write and delete',
}

/**
 * Returns plugin and location, and says whether the database has no tables yet. With `isDry` nothing is created. Throws
 * CliError `usage` or `unavailable`.
 */
export async function checkDatabase(config: InstanceConfig, isDry: boolean): Promise<string> {
  const { storage } = config.settings
  const file = getSqliteFile(config)
  const isFile = file !== null
  if (isDry && isFile && !existsSync(file)) return `${storage} (does not exist yet)`
  const check = async (opened: Storage) => {
    const status = await opened.listMigrations?.()
    const isNew = status?.every(({ state }) => state === 'pending') ?? false
    return `${describeLocation(storage, opened)}${isNew ? ', a new database' : ''}`
  }
  return withCauses(withStorage(config, noLog, check), isFile ? CAUSES.sqlite : CAUSES.database)
}

/** Like `checkDatabase` for the file store: writes, reads and deletes a blob, unless `isDry`. */
export async function checkFileStore(config: InstanceConfig, isDry: boolean): Promise<string> {
  const { files } = config.settings
  if (files === '') return 'no files'
  const isFolder = files === 'local-files'
  if (isDry && isFolder) return `${files} (not checked)`
  const check = async (store: FileStore) => {
    if (isDry) await store.ping()
    else await checkRoundTrip(store)
    return describeLocation(files, store)
  }
  return (await withCauses(withFileStore(config, noLog, check), isFolder ? CAUSES.local : CAUSES.s3)) ?? files
}

async function checkRoundTrip(store: FileStore): Promise<void> {
  const key = randomBytes(16).toString('hex')
  const bytes = randomBytes(64)
  await store.put(key, Readable.from([bytes]), bytes.length)
  const same = bytes.equals(await buffer(await store.get(key)))
  await store.delete(key)
  if (!same) throw new CliError('check_failed', 'the file store returned different bytes than were stored')
}

async function withCauses<T>(work: Promise<T>, causes: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { outcome, message, hint } = describeError(error)
    const isOurs = outcome === 'usage' || outcome === 'check_failed'
    const isKnown = hint !== undefined && hint !== CHECK_SETTINGS
    throw new CliError(
      isOurs ? outcome : 'unavailable',
      getAppErrorMessage(error) ?? message,
      isKnown ? hint : isOurs ? undefined : `usual causes: ${causes}`,
    )
  }
}

/** The message of an AppError of a store; undefined for other errors, which `describeError` describes. */
const getAppErrorMessage = (error: unknown) =>
  error instanceof Error && error.name === 'AppError' && !findOperatorError(error) ? error.message : undefined
