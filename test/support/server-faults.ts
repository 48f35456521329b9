/** Faults of database servers for `doctor`, each repaired by what its fix says. */
import { makeDatabaseUser, statementsOf } from './database-user.js'
import type { TestDatabase } from './databases.js'
import { startPgBouncer } from './pgbouncer.js'
import type { Fault, Instance, Planted } from './planted-faults.js'

/** Plants a user with these rights, and runs the statements of the fix. */
function userWith(...grants: string[]): Pick<Fault, 'plant' | 'repair'> {
  return {
    async plant(instance): Promise<Planted> {
      const user = await makeDatabaseUser(databaseOf(instance), ...grants)
      return { env: user.env, end: user.drop }
    },
    repair: (fix, { sql }) => sql(...statementsOf(fix)),
  }
}

const databaseOf = ({ database }: Instance): TestDatabase => {
  if (!database) throw new Error('this fault needs a server')
  return database
}

export const SERVER_FAULTS: Record<'postgres' | 'mysql', Fault[]> = {
  postgres: [
    {
      name: 'user who may only read',
      ...userWith('grant select on all tables in schema public to USER'),
      finds: 'database: writes',
      fix: /run in \w+: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "public" TO "\w+"; GRANT USAGE ON ALL SEQUENCES/,
    },
    {
      name: 'user without the right on sequences',
      ...userWith('grant all on all tables in schema public to USER'),
      finds: 'database: writes',
      fix: 'GRANT USAGE ON ALL SEQUENCES IN SCHEMA "public"',
    },
    {
      name: 'user who may not delete',
      ...userWith(
        'grant select, insert, update on all tables in schema public to USER',
        'grant usage on all sequences in schema public to USER',
      ),
      finds: 'database: writes',
      fix: 'DELETE ON ALL TABLES',
    },
    {
      name: 'read-only user',
      ...userWith(
        'grant all on all tables in schema public to USER',
        'grant all on all sequences in schema public to USER',
        'alter role USER set default_transaction_read_only = on',
      ),
      finds: 'database: writes',
      fix: /turn off default_transaction_read_only .*: ALTER ROLE "\w+" RESET default_transaction_read_only$/,
    },
    {
      name: 'schema that does not exist',
      env: { MAYFLY_POSTGRES_SCHEMA: 'nowhere ä' },
      finds: 'database: start',
      fix: /CREATE SCHEMA "nowhere ä" AUTHORIZATION "\w+"$/,
    },
    {
      name: 'schema without the right to use it',
      env: { MAYFLY_POSTGRES_SCHEMA: 'other' },
      async plant(instance): Promise<Planted> {
        await instance.sql('create schema other')
        const user = await makeDatabaseUser(databaseOf(instance))
        return { env: user.env, end: user.drop }
      },
      finds: 'database: start',
      fix: 'GRANT USAGE, CREATE ON SCHEMA "other" TO "',
    },
    {
      name: 'pooler in statement mode',
      async plant(instance): Promise<Planted> {
        const pooler = await startPgBouncer(String(databaseOf(instance).options.url), 'statement')
        return { env: { MAYFLY_POSTGRES_URL: pooler.url }, end: pooler.stop }
      },
      finds: 'database: start',
      fix: 'set pool_mode = transaction or session',
    },
  ],
  mysql: [
    {
      name: 'user who may only read',
      ...userWith('grant select on DATABASE.* to USER'),
      finds: 'database: writes',
      fix: /run in \w+: GRANT ALL PRIVILEGES ON `\w+`\.\* TO '\w+'@'%'$/,
    },
    {
      name: 'user who may not delete',
      ...userWith('grant select, insert, update on DATABASE.* to USER'),
      finds: 'database: writes',
      fix: 'GRANT ALL PRIVILEGES',
    },
    {
      name: 'read-only server',
      async plant(instance): Promise<Planted> {
        const user = await makeDatabaseUser(databaseOf(instance), 'grant all on DATABASE.* to USER')
        await instance.sql('set global read_only = 1')
        return { env: user.env, end: user.drop }
      },
      finds: 'database: writes',
      fix: /SET GLOBAL read_only = 0$/,
      repair: (fix, { sql }) => sql(...statementsOf(fix)),
    },
    {
      name: 'statements too small for the largest text',
      plant: ({ sql }) => sql('set global max_allowed_packet = 2097152'),
      finds: 'database: writes',
      fix: /^set max_allowed_packet=\d+M in my\.cnf/,
      async repair(fix, { sql }) {
        const megabytes = Number(/=(\d+)M/.exec(fix)?.[1])
        await sql(`set global max_allowed_packet = ${megabytes * 2 ** 20}`)
      },
    },
  ],
}
