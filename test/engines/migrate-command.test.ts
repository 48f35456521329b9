/** `mayfly migrate`, `serve --no-migrate`, and the shorthand for a database. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrations } from '#migrations'
import { makeDatabase, type TestDatabase, tablesOf } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { terminal } from '#test/spawn-cli'
import { startServer } from '#test/start-server'

const NAMES = migrations.map(({ name }) => name)
const LAST = NAMES.at(-1) as string
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

  test('migrate supports status, dry run, up and down', async () => {
    const pending = await mayfly('migrate', 'status')
    expect(pending.stdout).toBe(lines(...NAMES.map((name) => `${name}\tpending\t-`)))
    expect(pending.stderr).toMatch(new RegExp(`^mayfly: using ${engine} \\S+\n$`))
    const planned = await mayfly('migrate', '--dry-run')
    expect(planned.stdout).toMatch(/^-- 001_initial up\ncreate table [`"]users[`"] /)
    expect(await tablesOf(engine, database.db)).toEqual([])
    for (const to of ['001_nothing', '99', '-1']) {
      expect(await mayfly('migrate', '--to', to)).toMatchObject({ stdout: '', code: 2 })
    }
    expect(await mayfly('migrate', '--to', '001_initial')).toMatchObject({ stdout: lines('001_initial'), code: 0 })
    expect(await mayfly('migrate', 'up', '-q')).toMatchObject({ stdout: lines(...NAMES.slice(1)), stderr: '' })
    expect(await mayfly('migrate')).toMatchObject({ stdout: '', stderr: expect.stringContaining('nothing to do') })
    const status = JSON.parse((await mayfly('migrate', 'status', '--json')).stdout)
    expect(status[0]).toEqual({ name: '001_initial', state: 'ran', ran_at: expect.stringMatching(/^\d{4}-.*Z$/) })

    const refused = await mayfly('migrate', 'down')
    expect(refused).toMatchObject({ stdout: '', code: 2 })
    expect(refused.stderr).toContain(`error: reverting ${LAST} must be confirmed\nmayfly: hint: use --yes\n`)
    expect(await mayfly('migrate', 'down', '--yes')).toMatchObject({ stdout: lines(LAST), code: 0 })
    expect(await mayfly('migrate', 'down', '--to', '0', '--yes')).toMatchObject({
      stdout: lines(...NAMES.slice(0, -1).reverse()),
    })
  })

  test('a database of a newer version exits with 8', async () => {
    await mayfly('migrate')
    await database.db('migrations').insert({ name: '999_from_the_future', ran_at: 1 })
    for (const args of [[], ['--dry-run'], ['down', '--yes']]) {
      const { stdout, stderr, code } = await mayfly('migrate', ...args)
      expect(stderr).toContain('error: the database schema is newer than this version: unknown migrations 999_from')
      expect({ stdout, code }).toEqual({ stdout: '', code: 8 })
    }
    expect((await mayfly('migrate', 'status')).stdout).toContain('999_from_the_future\tunknown\t')
    expect(await mayfly('serve', '--port', '0')).toMatchObject({ code: 6 })
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

describe('on a terminal', needs('script'), () => {
  test('migrate down asks, and any answer but yes exits with 130', async () => {
    const env = { MAYFLY_PLUGINS: ',', MAYFLY_DATA_DIR: 'data' }
    await run(['migrate'], { env, cwd: folder })
    const asked = terminal('mayfly migrate down', { env, cwd: folder })
    await asked.sees(new RegExp(`Revert ${LAST}`))
    asked.types('n\r')
    expect(await asked.ended).toBe(130)
    const { stdout } = await run(['migrate', 'status'], { env, cwd: folder })
    expect(stdout.toString()).not.toContain('pending')
    const again = terminal('mayfly migrate down', { env, cwd: folder })
    await again.sees(new RegExp(`Revert ${LAST}`))
    again.types('y\r')
    expect(await again.ended).toBe(0)
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
