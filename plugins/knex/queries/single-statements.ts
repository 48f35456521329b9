/**
 * Creates and first views on SQLite, as one statement for a batch: each statement of a transaction costs two wake-ups
 * of threads. They insert into temporary views, whose triggers write the tables.
 */
import type { Knex } from 'knex'
import { TABLES } from '#migrations'
import { runAlone } from '../connection/batch-transaction.js'
import {
  acquireConnection,
  type DriverConnection,
  releaseConnection,
  runStatement,
  type Statement,
} from '../connection/knex-internals.js'
import { copiedColumns, type Row } from '../rows/tables.js'
import { type BatchStatements, packTexts, TEXTS_FROM, type TextRow } from './batch-statements.js'

/** The rows of new secrets. */
export interface NewSecretRows {
  idempotency_records: Row[]
  secrets: Row[]
  texts: TextRow[]
  receipts: Row[]
  new_events: Row[]
}

/** The first view of a secret, and the values that its decision is based on. */
export interface FirstView extends Row {
  id: string
  cleanup_at: number
  claim_hash: string
  claim_ends_at: number
  read_expires_at: number
  read_locked_until: number
  read_max_views: number | null
  read_allowed_ip: string | null
  events: string[]
}

/** A statement that fails changes nothing. */
export interface SingleStatements {
  createSecrets(rows: NewSecretRows): Promise<void>
  /** Reads secrets without their texts and without a lock. */
  read(ids: string[]): Promise<Row[]>
  /** Returns ids and texts. Fails with SQLITE_CONSTRAINT if one of the secrets has changed since it was read. */
  countFirstViews(views: FirstView[]): Promise<Row[]>
}

const TEXT_COLUMNS = ['secret_id', 'margin', 'text']
const VIEW_COLUMNS = [
  'id',
  'cleanup_at',
  'claim_hash',
  'claim_ends_at',
  'read_expires_at',
  'read_locked_until',
  'read_max_views',
  'read_allowed_ip',
  'events',
]
const fromJson = (columns: string[]) => columns.map((name) => `value ->> '${name}'`)
const columnsOf = (table: keyof NewSecretRows) =>
  table === 'new_events' ? ['events'] : copiedColumns(TABLES[table] as (typeof TABLES)[string]).map(({ name }) => name)

function insertFrom(table: Exclude<keyof NewSecretRows, 'texts'>): string {
  const columns = columnsOf(table)
  return `insert into ${table} (${columns}) select ${fromJson(columns)} from json_each(new.${table});`
}

/** Not created when a connection is opened: a migration must not find triggers for tables that do not exist yet. */
const SCHEMA = [
  `create temp view if not exists new_secrets as select null as idempotency_records, null as secrets, null as text_bytes,
    null as texts, null as receipts, null as new_events`,
  `create temp trigger if not exists insert_new_secrets instead of insert on new_secrets begin
    ${insertFrom('idempotency_records')}
    ${insertFrom('secrets')}
    insert into texts (${TEXT_COLUMNS}) ${TEXTS_FROM('new.text_bytes', 'new.texts')};
    ${insertFrom('receipts')}
    ${insertFrom('new_events')}
  end`,
  `create temp view if not exists first_views as select ${VIEW_COLUMNS.map((name) => `null as ${name}`)}`,
  `create temp trigger if not exists count_first_view instead of insert on first_views begin
    update secrets set cleanup_at = new.cleanup_at, views = 1, failures = 0, locks = 0, locked_until = 0
      where id = new.id and views = 0 and (prevent_burn or max_views is null or views < max_views)
        and expires_at = new.read_expires_at and locked_until = new.read_locked_until
        and max_views is new.read_max_views and allowed_ip is new.read_allowed_ip;
    select raise(abort, 'a secret has changed since it was read') where changes() <> 1;
    insert into claims (secret_id, claim_hash, expires_at, acked)
      values (new.id, new.claim_hash, new.claim_ends_at, false);
    insert into new_events (events) select value from json_each(new.events);
  end`,
]

const CREATE = 'insert into new_secrets values (?, ?, ?, ?, ?, ?)'
const VIEW = `insert into first_views select ${fromJson(VIEW_COLUMNS)} from json_each(?)
  returning id, (select text from texts where secret_id = id) as text`

export function createSingleStatements(db: Knex, { read }: BatchStatements): SingleStatements {
  const prepared = new WeakSet<DriverConnection>()
  async function run(statement: Statement): Promise<unknown> {
    const connection = await acquireConnection(db)
    try {
      if (!prepared.has(connection)) {
        for (const sql of SCHEMA) await runStatement(db, connection, { method: 'select', sql, bindings: [] })
        prepared.add(connection)
      }
      return await runStatement(db, connection, statement)
    } finally {
      await releaseConnection(db, connection)
    }
  }
  const toJson = (rows: unknown[]) => (rows.length > 0 ? JSON.stringify(rows) : null)
  return {
    async createSecrets({ idempotency_records: records, secrets, texts, receipts, new_events: events }) {
      const bindings = [toJson(records), toJson(secrets), ...packTexts(texts), toJson(receipts), toJson(events)]
      await run({ method: 'insert', sql: CREATE, bindings })
    },
    read: async (ids) => (await runAlone(db, read(ids))) as Row[],
    // A select, because it returns rows.
    countFirstViews: async (views) =>
      (await run({ method: 'select', sql: VIEW, bindings: [JSON.stringify(views)] })) as Row[],
  }
}
