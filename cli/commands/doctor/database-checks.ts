/** Checks of `doctor` on the database. */
import { describeUnknownMigrations, type FileStore, type Storage } from '#core'
import {
  checkAdministratorFactors,
  checkConnection,
  checkFactorKey,
  checkPasskeyHost,
  checkQueues,
  findOperatorError,
  noLog,
} from '#core/runtime'
import { submissionLengthMax } from '#shared/crypto/encrypted-sizes'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { describeLocation } from '../../instance/open-database.js'
import type { CliError } from '../../lib/cli-error.js'
import { toDamageError } from '../../lib/damaged-database.js'
import { formatCount, toMessage } from '../../output/sanitize.js'
import { countExpired, deleteExpired } from '../maintenance/purge-expired.js'
import { type CheckResult, fail, ok, warn } from './check-result.js'

/** A running server deletes data within seconds. */
const OVERDUE_MS = 10 * 60_000

export async function checkDatabase(
  { settings }: InstanceConfig,
  storage: Storage,
  files: FileStore | null,
): Promise<CheckResult[]> {
  const where = describeLocation(settings.storage, storage)
  const by = storage.driver === undefined ? '' : ` through ${storage.driver}`
  const reachable = ok('database', 'start', `${where} is reachable${by}, with durable writes and full Unicode`)
  try {
    const damage = (await storage.findDamage?.()) ?? null
    if (damage !== null) return [reachable, describeDamage(new Error(`SQLITE_CORRUPT: ${damage}`))]
    const schema = await checkSchema(storage)
    if (schema.level !== 'ok') return [reachable, schema]
    const writes = await checkWrites(storage, settings)
    if (writes.level !== 'ok') return [reachable, schema, writes]
    return [
      reachable,
      ...checkConnection(storage),
      schema,
      writes,
      await checkAdministrator(storage),
      ...(await checkAdministratorFactors(storage, Date.now())),
      ...(await checkFactorKey(storage, settings)),
      ...(await checkPasskeyHost(storage, settings)),
      ...(await checkOverdue(storage, files)),
      ...(await checkQueues(storage)),
    ]
  } catch (error) {
    return [reachable, describeDamage(error)]
  }
}

/** Every right that the server needs, a database that accepts writes, and the largest text. */
async function checkWrites(storage: Storage, { maxTextBytes }: InstanceConfig['settings']): Promise<CheckResult> {
  try {
    await storage.ping()
    await storage.checkAccess?.()
    await storage.checkTextSize?.(submissionLengthMax(maxTextBytes))
    return ok('database', 'writes', 'rows can be read, inserted, changed and deleted')
  } catch (error) {
    const cause = findOperatorError(error)
    if (!cause) throw error
    return fail('database', 'writes', toMessage(cause.message), cause.hint ?? 'check the log of the database')
  }
}

/** Returns the finding for an error of the database. */
export function describeDamage(error: unknown): CheckResult {
  const damage = toDamageError(error)
  if (damage) return fail('database', 'damage', damage.message, damage.hint ?? '')
  const cause = findOperatorError(error)
  const message = cause?.message ?? (error instanceof Error ? error.message : 'unknown error')
  return fail('database', 'reading', toMessage(message), cause?.hint ?? 'check the log and the disk of the database')
}

/** Returns the finding for a database that could not be opened. */
export const describeOpenFailure = ({ message, hint }: CliError): CheckResult =>
  fail('database', 'start', message, hint ?? 'see docs/databases.md')

async function checkAdministrator({ users }: Storage): Promise<CheckResult> {
  if (await users.hasAdmin()) return ok('database', 'administrator', 'exists')
  return warn('database', 'administrator', 'there is none', 'mayfly user add NAME --role admin --email ADDRESS')
}

async function checkSchema(storage: Storage): Promise<CheckResult> {
  const status = (await storage.listMigrations?.()) ?? []
  const unknown = describeUnknownMigrations(status)
  if (unknown) return fail('database', 'schema', toMessage(unknown), 'use the version of Mayfly that migrated it')
  const pending = status.filter(({ state }) => state === 'pending')
  if (pending.length === 0) return ok('database', 'schema', 'matches this version')
  const what = pending.map(({ name }) => `${name} is pending`).join(', ')
  return { ...fail('database', 'schema', what, 'run `mayfly migrate`'), repair: () => storage.migrate() }
}

async function checkOverdue(storage: Storage, files: FileStore | null): Promise<CheckResult[]> {
  if (!storage.rows) return []
  const overdue = await countExpired(storage.rows, Date.now() - OVERDUE_MS)
  if (overdue.secrets + overdue.files === 0) return [ok('database', 'cleanup', 'no overdue data')]
  const counts = `${formatCount(overdue.secrets, 'secret')} and ${formatCount(overdue.files, 'file')}`
  const what = `${counts} should have been deleted ten minutes ago`
  const repair = () => deleteExpired({ storage, files }, { orphans: false, log: noLog })
  return [{ ...warn('database', 'cleanup', what, 'start the server, or delete them with `mayfly purge`'), repair }]
}
