/** Checks of `doctor` on the database. */
import type { DroppedEvents, FileStore, Storage } from '#core'
import { noLog } from '#core/runtime'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { describeLocation } from '../../instance/open-database.js'
import type { CliError } from '../../lib/cli-error.js'
import { toDamageError } from '../../lib/damaged-database.js'
import { formatTime } from '../../output/format-expiry.js'
import { formatCount } from '../../output/sanitize.js'
import { countExpired, deleteExpired } from '../maintenance/purge-expired.js'
import { type CheckResult, fail, ok, warn } from './check-result.js'

/** A running server deletes data within seconds. */
const OVERDUE_MS = 10 * 60_000
/** Subscribers whose dropped events are reported. */
const SUBSCRIBERS_MAX = 20

export async function checkDatabase(
  { settings }: InstanceConfig,
  storage: Storage,
  files: FileStore | null,
): Promise<CheckResult[]> {
  const where = describeLocation(settings.storage, storage)
  const reachable = ok('database', 'start', `${where} is reachable, with durable writes and full Unicode`)
  try {
    const damage = (await storage.findDamage?.()) ?? null
    if (damage !== null) return [reachable, describeDamage(new Error(`SQLITE_CORRUPT: ${damage}`))]
    const schema = await checkSchema(storage)
    if (schema.level !== 'ok') return [reachable, schema]
    const open = warn('database', 'connection', 'not encrypted', 'turn on TLS, see docs/databases.md')
    const connection = storage.isUnencrypted ? [open] : []
    return [
      reachable,
      ...connection,
      schema,
      ...(await checkAdministrator(storage)),
      ...(await checkOverdue(storage, files)),
      ...(await checkDroppedEvents(storage)),
    ]
  } catch (error) {
    return [reachable, describeDamage(error)]
  }
}

/** Returns the finding for an error of the database. */
export function describeDamage(error: unknown): CheckResult {
  const damage = toDamageError(error)
  if (damage) return fail('database', 'damage', damage.message, damage.hint ?? '')
  const message = error instanceof Error ? error.message : 'unknown error'
  return fail('database', 'reading', message, 'check the log and the disk of the database')
}

/** Returns the finding for a database that could not be opened. */
export function describeOpenFailure({ message, hint }: CliError): CheckResult {
  const found = OPEN_FIXES.find(([pattern]) => pattern.test(message))
  return fail('database', 'start', message, found?.[1] ?? hint ?? 'see docs/databases.md')
}

/** By what the message of the failure contains. */
const OPEN_FIXES: [RegExp, string][] = [
  [/does not answer/, 'check host and port of the database, that it runs, and the firewall'],
  [/refuses the user or the password/, 'correct user and password of the database'],
  [/encoding is/, 'create the database as UTF-8: createdb --encoding UTF8 --template template0 NAME'],
  [
    /(fsync|synchronous_commit) is off/,
    'turn it on in postgresql.conf, and for the role and the database; then reload',
  ],
  [/flush_log_at_trx_commit|sync_binlog/, 'set it to 1 in my.cnf, then restart the database'],
  [/binlog_format/, 'set binlog_format=ROW in my.cnf, then restart the database'],
  [/no such database/, 'create the database, or correct its name'],
  [/no privileges/, 'grant the user all privileges on the database'],
  [/certificate|TLS/, 'see docs/databases.md for the TLS settings'],
  [/EACCES|EPERM|READONLY|CANTOPEN/, 'make the user of the server the owner of the data folder'],
]

async function checkSchema(storage: Storage): Promise<CheckResult> {
  const missing = ((await storage.migrations?.status()) ?? []).filter(({ state }) => state !== 'ran')
  if (missing.length === 0) return ok('database', 'schema', 'matches this version')
  const what = missing.map(({ name, state }) => `${name} is ${state}`).join(', ')
  if (missing.some(({ state }) => state !== 'pending')) {
    return fail('database', 'schema', `newer than this version: ${what}`, 'use the version of Mayfly that migrated it')
  }
  return { ...fail('database', 'schema', what, 'run `mayfly migrate`'), repair: () => storage.migrate() }
}

async function checkAdministrator({ users }: Storage): Promise<CheckResult[]> {
  if (await users.hasAdmin()) return [ok('database', 'administrator', 'exists')]
  const fix = 'mayfly user add NAME --role admin --email ADDRESS'
  return [warn('database', 'administrator', 'there is none', fix)]
}

/** A warning for each subscriber that has missed events and does not know yet. */
async function checkDroppedEvents({ outbox }: Storage): Promise<CheckResult[]> {
  const summaries = await outbox.list({ state: 'counting' }, { skip: 0, take: SUBSCRIBERS_MAX })
  return summaries.map(({ subscriber, data }) => {
    const { count, firstAt }: DroppedEvents = JSON.parse(data)
    const what = `${formatCount(count, 'event')} dropped since ${formatTime(firstAt)}, because too many wait`
    const fix = `check it with \`mayfly events ping ${subscriber}\`; if it was removed, \`mayfly events purge --subscriber ${subscriber}\``
    return warn('database', `events for ${subscriber}`, what, fix)
  })
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
