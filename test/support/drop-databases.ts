/** Global setup of the tier engines: at the end, drops pooled databases and databases of failed tests. */
import { randomBytes } from 'node:crypto'
import { connectAsAdmin, databasePrefix, hasServer, RUN_VARIABLE, type ServerEngine } from './connect-database.js'

const LIST: Record<ServerEngine, string> = {
  postgres: 'select datname as name from pg_database',
  mysql: 'select schema_name as name from information_schema.schemata',
}

export function setup(): void {
  process.env[RUN_VARIABLE] = `${randomBytes(4).toString('hex')}_`
}

export async function teardown(): Promise<void> {
  for (const engine of ['postgres', 'mysql'] as const) if (await hasServer(engine)) await dropDatabases(engine)
}

async function dropDatabases(engine: ServerEngine): Promise<void> {
  const admin = connectAsAdmin(engine)
  const prefix = databasePrefix()
  const found = await admin.select<{ name: string }[]>('name').from(admin.raw(`(${LIST[engine]}) as found`))
  const force = engine === 'postgres' ? ' with (force)' : ''
  for (const { name } of found) if (name.startsWith(prefix)) await admin.raw(`drop database ${name}${force}`)
  await admin.destroy()
}
