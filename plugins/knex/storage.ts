import type { Knex } from 'knex'
import type { Connections, MigrateOptions, Storage } from '#core'
import { callStore } from './connection/call-store.js'
import { createMigrator } from './migrations/migrator.js'
import type { TextMargin } from './rows/secret-rows.js'
import { TABLE_NAMES } from './rows/tables.js'
import { createAttachmentStore } from './stores/attachment-store.js'
import { createAuditStore } from './stores/audit-store.js'
import { createDroppedEventStore } from './stores/dropped-event-store.js'
import { createEmailVerificationStore } from './stores/email-verification-store.js'
import { createEndedSecretStore } from './stores/ended-secret-store.js'
import { createInstanceStateStore } from './stores/instance-state-store.js'
import { createLeaseStore } from './stores/lease-store.js'
import { createOutboxStore } from './stores/outbox-store.js'
import { createPasswordResetStore } from './stores/password-reset-store.js'
import { createRateLimitStore } from './stores/rate-limit-store.js'
import { createReceiptStore } from './stores/receipt-store.js'
import { createRequestStore } from './stores/request-store.js'
import { createRowStore } from './stores/row-store.js'
import { createSecretStore } from './stores/secret-store.js'
import { createSessionStore } from './stores/session-store.js'
import { createSettingsStore } from './stores/settings-store.js'
import { createStatsStore } from './stores/stats-store.js'
import { createTokenStore } from './stores/token-store.js'
import { createUserStore } from './stores/user-store.js'
import { createUserWebhookStore } from './stores/user-webhook-store.js'

/** What an engine needs beyond SQL. */
export interface Engine {
  /** Returns the spaces that are stored before a text, in the row with the id of its secret. */
  textMargin?: TextMargin
  /** Maximum number of calls that share one transaction or query. Default 1: no sharing. */
  batchSize?: number
  /** Timeout of a call in ms. The call then fails with `storage.unavailable`, but its work may still complete. */
  timeoutMs?: number
  /** Connections for creates and views, with autocommit off. Default: those of the storage. */
  writers?: Knex
  /** Opens a connection for long-running work such as migrations. It is closed afterwards. */
  openLongRunning?(): Knex
  /** The engine stores rows in the order of the primary key, as InnoDB does. */
  isClustered?: boolean
  /** `Storage.cleanupBatchMs`. */
  cleanupBatchMs?: number
  /** `Storage.scrub`, for engines whose database files belong to Mayfly. */
  scrub?(): Promise<boolean>
}

/** Creates a storage on an open connection. The engine's plugin opens and closes `db`. */
export function knexStorage(db: Knex, engine: Engine = {}): Storage {
  const { textMargin: margin = () => '', batchSize = 1, isClustered = false, scrub = async () => true } = engine
  const { timeoutMs, openLongRunning, cleanupBatchMs } = engine
  const writers = { db: engine.writers ?? db, beginsItself: engine.writers !== undefined }
  const guard = <Store extends object>(name: string, store: Store) => guardCalls(name, store, timeoutMs)
  const withMigrator = <T>(work: (migrator: ReturnType<typeof createMigrator>) => Promise<T>) =>
    useLongRunning(db, openLongRunning, (connection) => work(createMigrator(connection)))
  return {
    secrets: guard('secrets', createSecretStore(db, { margin, batchSize, writers, isClustered })),
    requests: guard('requests', createRequestStore(db, { margin, batchSize, writers })),
    receipts: guard('receipts', createReceiptStore(db)),
    endedSecrets: guard('endedSecrets', createEndedSecretStore(db)),
    attachments: guard('attachments', createAttachmentStore(db)),
    leases: guard('leases', createLeaseStore(db)),
    limits: guard('limits', createRateLimitStore(db, batchSize)),
    users: guard('users', createUserStore(db)),
    sessions: guard('sessions', createSessionStore(db)),
    tokens: guard('tokens', createTokenStore(db)),
    passwordResets: guard('passwordResets', createPasswordResetStore(db)),
    emailVerifications: guard('emailVerifications', createEmailVerificationStore(db)),
    userWebhooks: guard('userWebhooks', createUserWebhookStore(db)),
    audit: guard('audit', createAuditStore(db)),
    stats: guard('stats', createStatsStore(db)),
    settings: guard('settings', createSettingsStore(db)),
    instanceState: guard('instanceState', createInstanceStateStore(db)),
    outbox: guard('outbox', createOutboxStore(db)),
    droppedEvents: guard('droppedEvents', createDroppedEventStore(db)),
    // Migrations may take long, so they have no timeout.
    ...guardCalls('storage', {
      migrate: () => withMigrator(async (migrator) => (await migrator.up()).map(({ name }) => name)),
    }),
    migrations: guardCalls('migrations', {
      status: () => createMigrator(db).status(),
      up: (options?: MigrateOptions) => withMigrator((migrator) => migrator.up(options)),
      down: (options?: MigrateOptions) => withMigrator((migrator) => migrator.down(options)),
    }),
    rows: { tables: TABLE_NAMES, ...guard('rows', createRowStore(db, margin)) },
    ...guard('storage', {
      ping: async () => void (await db.raw('select 1')),
      scrub,
    }),
    ...(cleanupBatchMs !== undefined && { cleanupBatchMs }),
    connections: () => readConnections(engine.writers ? [db, engine.writers] : [db]),
  }
}

/** Reads the state of knex's pools, which are tarn pools. */
function readConnections(pools: Knex[]): Connections {
  const sum = (count: (pool: Knex['client']['pool']) => number) =>
    pools.reduce((total, { client }) => total + count(client.pool), 0)
  return {
    busy: sum((pool) => pool.numUsed()),
    idle: sum((pool) => pool.numFree()),
    waiting: sum((pool) => pool.numPendingAcquires()),
  }
}

type Methods = Record<string, (...args: never[]) => Promise<unknown>>

/** Wraps every method of a store with `callStore`. */
function guardCalls<Store extends object>(name: string, store: Store, timeoutMs?: number): Store {
  const methods = Object.entries(store as unknown as Methods).map(([method, run]) => [
    method,
    (...args: never[]) => callStore(`${name}.${method}`, () => run(...args), timeoutMs),
  ])
  return Object.fromEntries(methods) as Store
}

/** Runs `work` on a connection for long-running work, where the engine has one. */
async function useLongRunning<T>(
  db: Knex,
  openLongRunning: Engine['openLongRunning'],
  work: (db: Knex) => Promise<T>,
): Promise<T> {
  if (!openLongRunning) return work(db)
  const connection = openLongRunning()
  try {
    return await work(connection)
  } finally {
    await connection.destroy()
  }
}
