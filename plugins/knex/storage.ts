import type { Knex } from 'knex'
import type { Connections, Storage } from '#core'
import { checkAccess, createPing } from './connection/check-writes.js'
import { type Action, type DatabaseContext, explainError } from './connection/explain-error.js'
import { guardStore } from './connection/guard-store.js'
import { countConnections } from './connection/knex-internals.js'
import { createMigrator, type Migrator } from './migrations/migrator.js'
import type { TextMargin } from './rows/secret-rows.js'
import { COPIED_TABLES } from './rows/tables.js'
import { createAttachmentStore } from './stores/attachment-store.js'
import { createAuditStore } from './stores/audit-store.js'
import { createDeviceLoginStore } from './stores/device-login-store.js'
import { createEndedSecretStore } from './stores/ended-secret-store.js'
import { createFactorStore } from './stores/factor-store.js'
import { createInstanceStateStore } from './stores/instance-state-store.js'
import { createLeaseStore } from './stores/lease-store.js'
import { createNamedRecipientStore } from './stores/named-recipient-store.js'
import { createOneTimeLinkStore } from './stores/one-time-link-store.js'
import { createOutboxStore } from './stores/outbox-store.js'
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

/** Properties of an engine beyond SQL. */
export interface Engine {
  /** For error messages. Default: messages with only the code of the driver. */
  context?: DatabaseContext
  /** Returns the spaces that are stored before a text, in the row with the id of its secret. */
  textMargin?: TextMargin
  /** Maximum number of calls that share one transaction or query. Default 1: no sharing. */
  batchSize?: number
  /** Timeout of a call in ms. The call then fails with `storage.unavailable`, but its work may still complete. */
  timeoutMs?: number
  /** Connections for creates and views, with autocommit off. Default: the connections of the storage. */
  writers?: Knex
  /** Statements that begin a transaction of `writers`. Default: the statements of the engine. */
  begin?: string
  /** Opens a connection for long-running work such as migrations. It is closed afterwards. */
  openLongRunning?(): Knex
  /** The engine stores rows in the order of the primary key, as InnoDB does. */
  isClustered?: boolean
  /** Creates and first views are single statements, which insert into temporary views of SQLite. */
  hasTriggers?: boolean
  /** `Storage.cleanupBatchMs`. */
  cleanupBatchMs?: number
  /** `Storage.scrub`, for engines whose database files belong to Mayfly. */
  scrub?(): Promise<boolean>
}

/** Creates a storage on an open connection. The engine's plugin opens and closes `db`. */
export function knexStorage(db: Knex, engine: Engine = {}): Storage {
  const { textMargin: margin = () => '', batchSize = 1, isClustered = false, scrub = async () => true } = engine
  const { timeoutMs, openLongRunning, cleanupBatchMs, context, hasTriggers = false } = engine
  const writers = { db: engine.writers ?? db, beginsItself: engine.writers !== undefined, begin: engine.begin }
  const explain = (action: Action) => (error: unknown) => (context ? explainError(error, action, context) : null)
  const guard = <Store extends object>(name: string, store: Store) =>
    guardStore(name, store, { timeoutMs, explain: explain('call') })
  return {
    secrets: guard('secrets', createSecretStore(db, { margin, batchSize, writers, isClustered, hasTriggers })),
    requests: guard('requests', createRequestStore(db, { margin, batchSize, writers })),
    receipts: guard('receipts', createReceiptStore(db)),
    namedRecipients: guard('namedRecipients', createNamedRecipientStore(db, writers, batchSize)),
    endedSecrets: guard('endedSecrets', createEndedSecretStore(db)),
    attachments: guard('attachments', createAttachmentStore(db)),
    leases: guard('leases', createLeaseStore(db)),
    limits: guard('limits', createRateLimitStore(db, writers, batchSize)),
    users: guard('users', createUserStore(db)),
    sessions: guard('sessions', createSessionStore(db)),
    tokens: guard('tokens', createTokenStore(db)),
    oneTimeLinks: guard('oneTimeLinks', createOneTimeLinkStore(db)),
    deviceLogins: guard('deviceLogins', createDeviceLoginStore(db)),
    userWebhooks: guard('userWebhooks', createUserWebhookStore(db)),
    factors: guard('factors', createFactorStore(db)),
    audit: guard('audit', createAuditStore(db)),
    stats: guard('stats', createStatsStore(db)),
    settings: guard('settings', createSettingsStore(db)),
    instanceState: guard('instanceState', createInstanceStateStore(db)),
    outbox: guard('outbox', createOutboxStore(db)),
    // Migrations may take long, so they have no timeout.
    ...guardStore<Migrator>(
      'storage',
      {
        listMigrations: createMigrator(db).listMigrations,
        migrate: (options) =>
          useLongRunning(db, openLongRunning, (connection) => createMigrator(connection).migrate(options)),
      },
      { explain: explain('migrate') },
    ),
    rows: { tables: COPIED_TABLES, ...guard('rows', createRowStore(db, margin)) },
    ...guard('storage', {
      ping: createPing(db),
      checkAccess: () => checkAccess(db),
      scrub,
    }),
    ...(cleanupBatchMs !== undefined && { cleanupBatchMs }),
    connections: () => sumConnections(engine.writers ? [db, engine.writers] : [db]),
  }
}

function sumConnections(pools: Knex[]): Connections {
  const sum: Connections = { busy: 0, idle: 0, waiting: 0 }
  for (const { busy, idle, waiting } of pools.map(countConnections)) {
    sum.busy += busy
    sum.idle += idle
    sum.waiting += waiting
  }
  return sum
}

/** Runs `work` on a connection for long-running work, if the engine has one. */
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
