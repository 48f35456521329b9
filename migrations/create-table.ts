import type { Knex } from 'knex'

/**
 * Creates a table that stores any character and compares bytewise, so that the ids `Abc` and `aBC` differ on every engine.
 * The only condition on an engine: MySQL and MariaDB do neither by default, and knex rejects these calls for other engines.
 */
export async function createTable(
  knex: Knex,
  name: string,
  build: (table: Knex.CreateTableBuilder) => void,
): Promise<void> {
  await knex.schema.createTable(name, (table) => {
    if (knex.client.dialect === 'mysql') {
      table.charset('utf8mb4')
      table.collate('utf8mb4_bin')
    }
    build(table)
  })
}
