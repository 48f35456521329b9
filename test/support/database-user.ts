/** Users of a test database with few rights. */
import { randomBytes } from 'node:crypto'
import type { TestDatabase } from './databases.js'

export interface DatabaseUser {
  /** As it stands in GRANT. */
  account: string
  /** URL of the database for this user. */
  url: string
  /** The same as variables of an instance. */
  env: Record<string, string>
  /** Run by an administrator, in the database. */
  sql(...statements: string[]): Promise<void>
  /** The user, not the database. */
  drop(): Promise<void>
}

/** Creates a user who may connect. `grants`: further statements, with `USER` and `DATABASE`. */
export async function makeDatabaseUser(database: TestDatabase, ...grants: string[]): Promise<DatabaseUser> {
  const { engine, db, options } = database
  const name = `mayfly_user_${randomBytes(4).toString('hex')}`
  const url = Object.assign(new URL(options.url as string), { username: name, password: 'hunter2' })
  const account = engine === 'postgres' ? `"${name}"` : `'${name}'@'%'`
  const fill = (statement: string) =>
    statement.replaceAll('USER', account).replaceAll('DATABASE', url.pathname.slice(1))
  const sql = async (...statements: string[]) => {
    for (const each of statements) await db.raw(each)
  }
  await sql(
    engine === 'postgres'
      ? `create role ${account} login password 'hunter2'`
      : `create user ${account} identified by 'hunter2'`,
  )
  await sql(...grants.map(fill))
  const drop = engine === 'postgres' ? [`drop owned by ${account}`, `drop role ${account}`] : [`drop user ${account}`]
  return {
    account,
    url: url.href,
    sql,
    env: { ...database.env, [`MAYFLY_${engine.toUpperCase()}_URL`]: url.href },
    drop: () => sql(...drop),
  }
}

/** The statements of a hint such as `as its administrator, run in DATABASE: GRANT ...; GRANT ...`. */
export const statementsOf = (hint: string): string[] => hint.replace(/^.*?: (?=[A-Z]{3,} )/, '').split('; ')
