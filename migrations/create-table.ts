import type { Knex } from 'knex'

/**
 * Creates a table that keeps any character and compares bytewise, so that the ids `Abc` and `aBC` differ everywhere.
 * The one `if` on an engine: the defaults of MySQL and MariaDB do neither, and knex refuses these calls for the others.
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
