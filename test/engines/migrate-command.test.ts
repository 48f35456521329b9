/** `mayfly migrate`, `serve --no-migrate`, and the shorthand for a database. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrations } from '#migrations'
import { makeDatabase, schemaOf, type TestDatabase, tablesOf } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { run } from '#test/run-cli'
import { startServer } from '#test/start-server'

const NAMES = migrations.map(({ name }) => name)
const lines = (...names: string[]) => names.map((name) => `${name}\n`).join('')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-migrate-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describeEachEngine((engine) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await makeDatabase(engine)
  })
  afterEach(() => database.drop())
  const address = () => (engine === 'sqlite' ? `sqlite:${database.options.file}` : (database.options.url as string))
  const mayfly = async (...args: string[]) => {
    const env = { MAYFLY_PLUGINS: ',', MAYFLY_DATABASE_URL: address() }
    const { stdout, stderr, code } = await run(args, { env, cwd: folder })
    return { stdout: stdout.toString(), stderr, code }
  }

  test('migrate updates the schema, and status lists it', async () => {
    const pending = await mayfly('migrate', 'status')
    expect(pending.stdout).toBe(lines(...NAMES.map((name) => `${name}\tpending\t-`)))
    expect(pending.stderr).toMatch(new RegExp(`^mayfly: using ${engine} \\S+\n$`))
    expect(await tablesOf(engine, database.db)).toEqual([])
    expect(await mayfly('migrate', 'up', '-q')).toMatchObject({ stdout: lines(...NAMES), stderr: '' })
    expect(await mayfly('migrate')).toMatchObject({ stdout: '', stderr: expect.stringContaining('nothing to do') })
    const status = JSON.parse((await mayfly('migrate', 'status', '--json')).stdout)
    expect(status[0]).toEqual({ name: NAMES[0], state: 'ran', ran_at: expect.stringMatching(/^\d{4}-.*Z$/) })
    expect(await mayfly('migrate', 'down')).toMatchObject({ stdout: '', code: 2 })
  })

  test('REL-13: a database of another version is left alone: migrate exits with 8, other commands with 6', async () => {
    await mayfly('migrate')
    await database.db('migrations').insert({ name: '999_from_the_future', ran_at: 1 })
    const error =
      'error: the database belongs to another version of Mayfly: this version does not know the migration 999_from_the_future. Use the other version\n'
    const refused = await mayfly('migrate')
    expect(refused).toMatchObject({ stdout: '', code: 8 })
    expect(refused.stderr).toContain(error)
    expect((await mayfly('migrate', 'status')).stdout).toContain('999_from_the_future\tunknown\t')
    for (const args of [
      ['serve', '--port', '0'],
      ['serve', '--port', '0', '--no-migrate'],
      ['user', 'list'],
    ]) {
      const { stdout, stderr, code } = await mayfly(...args)
      expect({ stdout, code }).toEqual({ stdout: '', code: 6 })
      expect(stderr).toContain(error)
    }
  })

  test('a database of a version before the first release is left alone', async () => {
    const { db } = database
    await db.schema.createTable('migrations', (table) => {
      table.string('name', 64).primary()
      table.bigInteger('ran_at').notNullable()
    })
    await db('migrations').insert(['001_initial', '002_files'].map((name) => ({ name, ran_at: 1 })))
    await db.schema.createTable('users', (table) => void table.string('id', 64).primary())
    await db('users').insert({ id: 'ä ☃' })
    const schema = await schemaOf(database)
    const exits: Record<string, number> = {
      migrate: 8,
      doctor: 9,
      'serve --port 0': 6,
      'user list': 6,
      'backup a.tar': 8,
    }
    for (const [command, exit] of Object.entries(exits)) {
      const { stdout, stderr, code } = await mayfly(...command.split(' '))
      expect(`${stdout}${stderr}`, command).toMatch(
        /another version of Mayfly: this version does not know the migration 002_files|different schema/,
      )
      expect(code, command).toBe(exit)
    }
    expect(await schemaOf(database)).toEqual(schema)
    expect(await db('users')).toEqual([{ id: 'ä ☃' }])
  })

  test('migrate waits for the lock up to --lock-timeout and exits with 6', async () => {
    await mayfly('migrate')
    await database.db('migration_lock').update({ held_until: Date.now() + 60_000 })
    const { stderr, code } = await mayfly('migrate', '--lock-timeout', '1s')
    expect(stderr).toContain('error: another process keeps the database locked for a migration\n')
    expect(code).toBe(6)
  })

  test('serve --no-migrate refuses an outdated schema and starts with a current one', async () => {
    const { stderr, code } = await mayfly('serve', '--port', '0', '--no-migrate')
    expect(stderr).toContain('error: the database schema is out of date. Run `mayfly migrate`\n')
    expect(code).toBe(6)
    expect(await tablesOf(engine, database.db)).toEqual([])
    await mayfly('migrate')
    const server = await startServer({
      args: ['--no-migrate', '--database-url', address()],
      env: { MAYFLY_PLUGINS: ',' },
    })
    expect((await fetch(`${server.url}/readyz`)).ok).toBe(true)
    await server.stop()
    const password = new URL(address()).username || 'nothing of it'
    expect(server.log()).not.toContain(`${password}@`)
  })
})

describe('the shorthand', () => {
  const list = async (env: Record<string, string>, ...args: string[]) => {
    const ran = await run(['config', 'list', ...args], { env: { MAYFLY_PLUGINS: ',', ...env }, cwd: folder })
    return { stdout: ran.stdout.toString(), stderr: ran.stderr, code: ran.code }
  }

  test.each([
    ['postgres://u:hunter2@db.internal/mayfly', 'postgres', 'postgres.url'],
    ['postgresql://u:hunter2@db.internal/mayfly', 'postgres', 'postgres.url'],
    ['mysql://u:hunter2@db.internal/mayfly', 'mysql', 'mysql.url'],
    ['mariadb://u:hunter2@db.internal/mayfly', 'mysql', 'mysql.url'],
  ])('%s selects the plugin and is masked', async (url, plugin, key) => {
    const { stdout } = await list({ MAYFLY_DATABASE_URL: url })
    expect(stdout).toMatch(new RegExp(`^storage\t"${plugin}"\tMAYFLY_DATABASE_URL$`, 'm'))
    expect(stdout).toMatch(new RegExp(`^${key.replace('.', '\\.')}\t\\*{8}\tMAYFLY_DATABASE_URL$`, 'm'))
    expect(stdout).toMatch(/^databaseUrl\t\*{8}\tMAYFLY_DATABASE_URL$/m)
    expect(stdout).not.toContain('hunter2')
  })

  test('the path of a SQLite file is resolved like in a shell', async () => {
    const fileOf = async (url: string) =>
      (await list({ MAYFLY_DATABASE_URL: url })).stdout.match(/sqlite\.file\t"(.*)"/)?.[1]
    expect(await fileOf('sqlite:some/file.db')).toMatch(/mayfly-migrate-\w+\/some\/file\.db$/)
    expect(await fileOf('sqlite:/srv/file.db')).toBe('/srv/file.db')
    expect(await fileOf('sqlite:///srv/file.db')).toBe('/srv/file.db')
  })

  test('the shorthand with another storage or address exits with 2', async () => {
    const env = { MAYFLY_DATABASE_URL: 'postgres://u:hunter2@db.internal/mayfly' }
    const told = [
      await list(env, '--set', 'storage=sqlite'),
      await list({ ...env, MAYFLY_POSTGRES_URL: 'postgres://u:hunter2@other/mayfly' }),
    ]
    expect(told.map(({ stderr }) => stderr)).toEqual([
      'mayfly: error: storage: is not what MAYFLY_DATABASE_URL asks for; leave one of them out (--set storage)\n',
      'mayfly: error: postgres.url: is not what MAYFLY_DATABASE_URL asks for; leave one of them out (MAYFLY_POSTGRES_URL)\n',
    ])
    expect(told.map(({ code }) => code)).toEqual([2, 2])
    expect((await list(env, '--set', 'storage=postgres')).code).toBe(0)
  })

  test.each(['hunter2://a/b', 'hunter2', 'constructor:x', 'sqlite:'])(
    '%s exits with 2 and is not repeated in the message',
    async (url) => {
      const { stderr, code } = await list({ MAYFLY_DATABASE_URL: url })
      expect(stderr).toBe(
        'mayfly: error: databaseUrl must be a database URL: sqlite:, postgres:, postgresql:, mysql:, mariadb: (MAYFLY_DATABASE_URL)\n',
      )
      expect(code).toBe(2)
    },
  )
})
