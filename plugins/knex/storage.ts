import type { Knex } from 'knex'
import type { Connections, MigrateOptions, Storage } from '#core'
import { attachmentStore } from './attachments.js'
import { auditStore } from './audit.js'
import { attempt } from './errors.js'
import { leaseStore } from './leases.js'
import { limitStore } from './limits.js'
import { migrator } from './migrate.js'
import { rowStore } from './row-store.js'
import { secretStore } from './secrets.js'
import { sessionStore } from './sessions.js'
import { settingsStore } from './settings.js'
import { statsStore } from './stats.js'
import { TABLE_NAMES } from './tables.js'
import { tokenStore } from './tokens.js'
import { userStore } from './users.js'

/** What an engine needs beyond SQL. */
export interface Engine {
  /** Spaces stored before every text. */
  textMargin?: number
  /** Most calls that share one transaction, or one look; with 1, the default, each has its own. */
  batchSize?: number
  /** In ms: a call that takes longer fails as `storage.unavailable`, while its work ends as it may. */
  answerWithin?: number
  /** A connection for work that takes its time; closed afterwards. */
  patient?(): Knex
  /** `Storage.scrub`, where the files of the database are ours. */
  scrub?(): Promise<boolean>
}

/** A whole storage on an open connection. It neither opens nor closes `db`; that is the business of the engine's plugin. */
export function knexStorage(db: Knex, engine: Engine = {}): Storage {
  const { textMargin = 0, batchSize = 1, answerWithin, patient, scrub = async () => true } = engine
  const guarded = <Store extends object>(name: string, store: Store) => withGuard(name, store, answerWithin)
  return {
    secrets: guarded('secrets', secretStore(db, { margin: ' '.repeat(textMargin), batchSize })),
    attachments: guarded('attachments', attachmentStore(db)),
    leases: guarded('leases', leaseStore(db)),
    limits: guarded('limits', limitStore(db, batchSize)),
    users: guarded('users', userStore(db)),
    sessions: guarded('sessions', sessionStore(db)),
    tokens: guarded('tokens', tokenStore(db)),
    audit: guarded('audit', auditStore(db)),
    stats: guarded('stats', statsStore(db)),
    settings: guarded('settings', settingsStore(db)),
    ...withGuard('storage', {
      migrate: () => patiently(db, patient, async (each) => (await migrator(each).up()).map(({ name }) => name)),
    }),
    migrations: withGuard('migrations', {
      status: () => migrator(db).status(),
      up: (options?: MigrateOptions) => patiently(db, patient, (each) => migrator(each).up(options)),
      down: (options?: MigrateOptions) => patiently(db, patient, (each) => migrator(each).down(options)),
    }),
    rows: { tables: TABLE_NAMES, ...guarded('rows', rowStore(db, ' '.repeat(textMargin))) },
    ...guarded('storage', {
      ping: async () => void (await db.raw('select 1')),
      scrub,
    }),
    connections: () => connectionsOf(db),
  }
}

/** Of knex's pool, which is one of tarn. */
function connectionsOf(db: Knex): Connections {
  const { pool } = db.client
  return { busy: pool.numUsed(), idle: pool.numFree(), waiting: pool.numPendingAcquires() }
}

type Methods = Record<string, (...args: never[]) => Promise<unknown>>

/** The same store, with every method's failures translated and its lost races run again. */
function withGuard<Store extends object>(name: string, store: Store, answerWithin?: number): Store {
  const methods = Object.entries(store as unknown as Methods).map(([method, run]) => [
    method,
    (...args: never[]) => attempt(`${name}.${method}`, () => run(...args), answerWithin),
  ])
  return Object.fromEntries(methods) as Store
}

async function patiently<T>(db: Knex, patient: Engine['patient'], work: (db: Knex) => Promise<T>): Promise<T> {
  if (!patient) return work(db)
  const connection = patient()
  try {
    return await work(connection)
  } finally {
    await connection.destroy()
  }
}
