/**
 * Database users and servers that do not accept writes: the errors of the command line, the start and `/readyz`, and
 * their fixes.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aSecret, openStorage, T0 } from '#core/testing'
import { type DatabaseServer, startDatabaseServer } from '#test/database-server'
import { type DatabaseUser, makeDatabaseUser, statementsOf } from '#test/database-user'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { startLocalServer } from '#test/local-server'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-rights-'))
})
afterAll(() => rm(folder, { recursive: true }))

const SETTINGS = { MAYFLY_PLUGINS: ',', MAYFLY_FILES: '', MAYFLY_PUBLIC_URL: 'https://s.example.org' }
const CONNECT = { postgres: 'revoke create on schema public from public', mysql: 'grant select on DATABASE.* to USER' }
const SELECT = {
  postgres: 'grant select on all tables in schema public to USER',
  mysql: 'grant select on DATABASE.* to USER',
}

const WRITE = {
  postgres: ['grant all on all tables in schema public to USER', 'grant all on all sequences in schema public to USER'],
  mysql: ['grant all on DATABASE.* to USER'],
}

describe.each(['postgres', 'mysql'] as const)('on %s', (engine) => {
  describe('a server', needs(engine, ...(engine === 'mysql' ? (['mariadbServer'] as const) : [])), () => {
    let server: DatabaseServer | undefined
    let database: TestDatabase
    beforeAll(async () => {
      // `read_only` of MariaDB is a setting of the whole server.
      server = engine === 'mysql' ? await startDatabaseServer(engine) : undefined
      database = await makeDatabase(engine, server?.url)
    }, 120_000)
    afterAll(async () => {
      await database.drop()
      await server?.end()
    })
    const mayfly = async (user: Pick<DatabaseUser, 'env'>, ...args: string[]) => {
      const { stderr, stdout, code } = await run(args, { env: { ...user.env, ...SETTINGS }, cwd: folder })
      expect(stderr + stdout).not.toContain('hunter2')
      return { stderr, stdout: `${stdout}`, code }
    }
    const migrate = async () => {
      const { storage, close } = await database.open()
      await storage.migrate()
      await close()
    }
    const hintOf = (stderr: string) => /^mayfly: hint: (.*)$/m.exec(stderr)?.[1] ?? ''

    test('the SQL of docs/databases.md makes a database and a user for migrate and doctor', async () => {
      const name = `docs_${database.options.url?.slice(-12)}`
      const page = readFileSync(new URL('../../docs/databases.md', import.meta.url), 'utf8')
      const [ofPostgres = '', ofMysql = ''] = [...page.matchAll(/^```sql\n([\s\S]*?)```/gm)].map(([, block]) => block)
      const block = (engine === 'postgres' ? ofPostgres : ofMysql).replaceAll(/\bmayfly\b/g, name)
      for (const statement of block.split(';\n').filter(Boolean)) await database.db.raw(statement)
      const url = Object.assign(new URL(database.options.url as string), {
        username: name,
        password: 'choose-a-password',
        pathname: `/${name}`,
      })
      const env = { MAYFLY_DATABASE_URL: url.href }
      expect(await mayfly({ env }, 'migrate')).toMatchObject({ code: 0 })
      const found = await mayfly({ env }, 'doctor', '--section', 'database')
      expect(found.stdout).toMatch(/^ok {4}database: writes: /m)
      expect(found.code, found.stdout).toBe(0)
      await database.db.raw(`drop database ${name}`)
      await database.db.raw(engine === 'postgres' ? `drop role ${name}` : `drop user '${name}'@'%'`)
    })

    test('REL-25: every command names the missing right to create tables, and the GRANT that gives it', async () => {
      const user = await makeDatabaseUser(database, CONNECT[engine])
      const code = engine === 'postgres' ? '42501' : 'ER_TABLEACCESS_DENIED_ERROR'
      let hint = ''
      for (const args of [['migrate'], ['serve', '--port', '0'], ['user', 'list']]) {
        const { stderr, code: exit } = await mayfly(user, ...args)
        expect(exit, stderr).toBe(6)
        expect(stderr).toContain(`does not let ${user.account} create`)
        expect(stderr).toContain(`(${code})`)
        hint = hintOf(stderr)
        expect(hint).toContain('GRANT ')
      }
      await user.sql(...statementsOf(hint))
      expect(await mayfly(user, 'migrate')).toMatchObject({ code: 0 })
      expect(await mayfly(user, 'user', 'list')).toMatchObject({ code: 0 })
      await user.drop()
    })

    test('REL-25: a user who may only read is refused by start and doctor, until the GRANT of the hint', async () => {
      await migrate()
      const user = await makeDatabaseUser(database, SELECT[engine])
      const { stderr, code } = await mayfly(user, 'serve', '--port', '0')
      expect(code, stderr).toBe(6)
      expect(stderr).toContain(`does not let ${user.account} read and write the tables`)
      const found = await mayfly(user, 'doctor', '--section', 'database')
      expect(found.stdout).toMatch(/^fail {2}database: writes: .*does not let/m)
      await user.sql(...statementsOf(hintOf(stderr)))
      expect((await mayfly(user, 'doctor', '--section', 'database')).stdout).toMatch(/^ok {4}database: writes/m)
      await user.drop()
    })

    test('a user or a database that goes away while the server runs is an outage with its code', async () => {
      const other = await makeDatabase(engine, server?.url)
      const grant =
        engine === 'postgres' ? 'grant create, usage on schema public to USER' : 'grant all on DATABASE.* to USER'
      const user = await makeDatabaseUser(other, grant)
      const { storage, close } = await openStorage(database.plugin, { options: { url: user.url } })
      await storage.migrate()
      const expectOutage = (code: RegExp) =>
        vi.waitFor(
          () =>
            expect(storage.secrets.create({ secret: aSecret(), now: T0 })).rejects.toMatchObject({
              code: 'storage.unavailable',
              cause: { code: expect.stringMatching(code) },
            }),
          { timeout: 20_000 },
        )
      const opening = () =>
        openStorage(database.plugin, { options: { url: user.url } }).then(
          async (opened) => (await opened.close()) ?? '',
          (error: Error) => error.message,
        )
      await storage.secrets.create({ secret: aSecret(), now: T0 })
      for (const [statements, code, reason] of GONE[engine](user.account)) {
        await user.sql(...statements)
        await endConnections(other, user.account)
        await expectOutage(code)
        expect(await opening()).toMatch(reason)
      }
      await close()
      await other.drop()
      // On PostgreSQL, the user has a new name.
      if (engine === 'mysql') await database.db.raw(`drop user if exists ${user.account}`)
      else await database.db.raw(`drop role "gone_${user.account.slice(1)}`)
    }, 60_000)

    test('REL-25: ping fails while the server is read-only, and the first write after the switch back succeeds', async () => {
      await migrate()
      const user = await makeDatabaseUser(database, ...WRITE[engine])
      const { storage, close } = await openStorage(database.plugin, { options: { url: user.url } })
      await storage.migrate()
      const create = () =>
        storage.secrets.create({ secret: aSecret(), now: T0 }).then(
          () => 'created',
          (error) => `${error.code} ${error.cause?.code}`,
        )
      await storage.ping()
      // Several connections, which the switch leaves open.
      expect(await Promise.all(Array.from({ length: 8 }, create))).toEqual(Array(8).fill('created'))
      const [on, off, refused] = READ_ONLY[engine](user.account)
      await user.sql(on)
      // Existing connections to PostgreSQL keep the setting of their user, unlike connections to a new standby.
      if (engine === 'postgres') {
        await endConnections(database, user.account)
        while ((await create()) !== `storage.unavailable ${refused}`);
      }
      expect(await create()).toBe(`storage.unavailable ${refused}`)
      // A success counts for some seconds.
      while (await storage.ping().then(Boolean.bind(null, true), () => false));
      await expect(storage.ping()).rejects.toMatchObject({ code: 'storage.unavailable', cause: { code: refused } })
      const { stderr } = await mayfly(user, 'serve', '--port', '0')
      expect(stderr).toContain(`is read-only (${refused})`)
      const found = await mayfly(user, 'doctor', '--section', 'database')
      expect(found.stdout).toMatch(/^fail {2}database: writes: .* is read-only/m)
      await user.sql(off)
      expect(await create()).toBe('created')
      await storage.ping()
      await close()
      await user.drop()
    }, 60_000)

    test('/readyz follows a switch to read-only and back, and the first create succeeds within 5 seconds', async () => {
      await migrate()
      const user = await makeDatabaseUser(database, ...WRITE[engine])
      const site = await startLocalServer({ env: { ...user.env, MAYFLY_STORAGE: engine } })
      const readiness = async () => (await fetch(`${site.url}/readyz`)).status
      const create = async () => {
        const body = JSON.stringify({ text: 'für ☃', ttl: 60 })
        const headers = { 'content-type': 'application/json' }
        return (await fetch(`${site.url}/api/v1/secret`, { method: 'POST', headers, body })).status
      }
      expect([await readiness(), await create()]).toEqual([204, 201])
      const [on, off] = READ_ONLY[engine](user.account)
      await user.sql(on)
      if (engine === 'postgres') await endConnections(database, user.account)
      await vi.waitFor(async () => expect(await readiness()).toBe(503), WITHIN)
      await vi.waitFor(async () => expect(await create()).toBe(503), WITHIN)
      await user.sql(off)
      await vi.waitFor(async () => expect(await create()).toBe(201), WITHIN)
      await vi.waitFor(async () => expect(await readiness()).toBe(204), WITHIN)
      await site.stop()
      await user.drop()
    }, 60_000)
  })
})

/** How long a switch may take to be seen, in ms. */
const WITHIN = { timeout: 5000, interval: 100 }

/** Closes the connections of a user. */
async function endConnections({ engine, db }: TestDatabase, account: string): Promise<void> {
  const name = account.replace(/@.*/, '').replaceAll(/["']/g, '')
  if (engine === 'postgres') {
    await db.raw('select pg_terminate_backend(pid) from pg_stat_activity where usename = ?', [name])
    return
  }
  for (const id of await db('information_schema.processlist').where({ user: name }).pluck('id'))
    await db.raw(`kill ${Number(id)}`).catch(() => {})
}

type Gone = [statements: string[], code: RegExp, reason: RegExp]

/** Changes of a user while the server runs: the code of failing calls, and the error of the next start. */
const GONE: Record<'postgres' | 'mysql', (account: string) => Gone[]> = {
  postgres: (account) => [
    [[`alter role ${account} connection limit 0`], /^(53300|57P01)$/, /has too many connections \(53300\)/],
    [
      [`alter role ${account} connection limit -1`, `alter role ${account} rename to "gone_${account.slice(1)}`],
      /^(28000|28P01|57P01)$/,
      /refuses the user or the password/,
    ],
  ],
  mysql: (account) => [
    [
      [`alter user ${account} account lock`],
      /^(ER_ACCOUNT_HAS_BEEN_LOCKED|ER_CONNECTION_KILLED|PROTOCOL_CONNECTION_LOST)$/,
      /the account is locked/,
    ],
    [
      [`alter user ${account} account unlock`, `alter user ${account} password expire`],
      /^(ER_MUST_CHANGE_PASSWORD\w*|ER_CONNECTION_KILLED|PROTOCOL_CONNECTION_LOST)$/,
      /the password has expired/,
    ],
    [
      [`drop user ${account}`],
      /^(ER_ACCESS_DENIED_ERROR|ER_CONNECTION_KILLED|PROTOCOL_CONNECTION_LOST)$/,
      /refuses the user or the password/,
    ],
  ],
}

/** Statements that switch it on and off, and the code of the driver. */
const READ_ONLY = {
  postgres: (account: string) => [
    `alter role ${account} set default_transaction_read_only = on`,
    `alter role ${account} reset default_transaction_read_only`,
    '25006',
  ],
  mysql: () => ['set global read_only = 1', 'set global read_only = 0', 'ER_OPTION_PREVENTS_STATEMENT'],
} satisfies Record<string, (account: string) => [on: string, off: string, code: string]>
