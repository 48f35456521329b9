/**
 * Schema changes that a migration may repeat. On MySQL and MariaDB each statement commits by itself, so a migration
 * that a crash interrupted runs again from its first statement. The statements that ran before are skipped there. Other
 * engines run a migration as one transaction.
 */
import type { Knex } from 'knex'
import type { Migration } from './migration.js'
import type { Column, Table } from './table.js'

/** Codes of MySQL and MariaDB for a change that was made before. */
const ALREADY_MADE = [
  'ER_TABLE_EXISTS_ERROR',
  'ER_DUP_FIELDNAME',
  'ER_DUP_KEYNAME',
  'ER_MULTIPLE_PRI_KEY',
  'ER_FK_DUP_NAME',
  'ER_DUP_CONSTRAINT_NAME',
  'ER_BAD_TABLE_ERROR',
  'ER_CANT_DROP_FIELD_OR_KEY',
]

/** Runs a migration. After a crash it can run again. */
export async function runMigration(knex: Knex, { tables = {}, columns = {}, run }: Migration): Promise<void> {
  for (const [name, table] of Object.entries(tables)) await createTable(knex, name, table)
  for (const [name, added] of Object.entries(columns)) {
    await alterTable(knex, name, (builder) => addColumns(builder, added))
  }
  await run?.(knex)
}

/**
 * Creates a table that stores any character and compares bytewise, so that the ids `Abc` and `aBC` differ on every
 * engine.
 */
export async function createTable(knex: Knex, name: string, table: Table): Promise<void> {
  const change = knex.schema.createTable(name, (builder) => {
    if (isMysql(knex)) {
      builder.charset('utf8mb4')
      builder.collate('utf8mb4_bin')
    }
    addColumns(builder, table.columns)
    if (!Object.values(table.columns).some(({ type }) => type === 'sequence')) builder.primary(table.key)
    for (const columns of table.unique ?? []) builder.unique(columns)
    for (const columns of table.indexes ?? []) builder.index(columns)
    if (table.expires) builder.index([table.expires])
    for (const [column, target = ''] of Object.entries(table.references ?? {})) {
      builder.foreign(column).references(target).onDelete('CASCADE')
    }
  })
  await runChange(knex, change)
}

export async function alterTable(
  knex: Knex,
  name: string,
  build: (table: Knex.AlterTableBuilder) => void,
): Promise<void> {
  await runChange(knex, knex.schema.alterTable(name, build))
}

function addColumns(builder: Knex.TableBuilder, columns: Record<string, Column>): void {
  for (const [name, column] of Object.entries(columns)) {
    const built = addColumn(builder, name, column)
    if (!column.isNullable) built.notNullable()
    if (column.default !== undefined) built.defaultTo(column.default as Knex.Value)
  }
}

function addColumn(builder: Knex.TableBuilder, name: string, { type, length }: Column): Knex.ColumnBuilder {
  switch (type) {
    case 'string':
      return builder.string(name, length)
    case 'text':
      return builder.text(name)
    case 'longtext':
      return builder.text(name, 'longtext')
    case 'integer':
      return builder.integer(name)
    case 'bigint':
      return builder.bigInteger(name)
    case 'boolean':
      return builder.boolean(name)
    case 'sequence':
      return builder.bigIncrements(name)
  }
}

async function runChange(knex: Knex, change: Knex.SchemaBuilder): Promise<void> {
  if (!isMysql(knex)) return change
  for (const { sql } of change.toSQL()) {
    await knex.raw(sql).catch((error) => {
      if (!isAlreadyMade(error)) throw error
    })
  }
}

const isMysql = ({ client }: Knex): boolean => client.dialect === 'mysql'

function isAlreadyMade(error: Error & { code?: string }): boolean {
  // For an existing foreign key, MariaDB has an error number only in the message.
  return ALREADY_MADE.includes(error.code ?? '') || /errno: 121/.test(error.message)
}
