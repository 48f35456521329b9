/** Faults for `doctor`, planted one by one in copies of an instance that is sound. */
import { chmod, cp, mkdir, mkdtemp, open, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import knex from 'knex'
import { expect } from 'vitest'
import { aUser } from '#core/testing'
import { type EngineName, makeDatabase, type TestDatabase } from './databases.js'
import { run } from './run-cli.js'

export interface Finding {
  section: string
  check: string
  level: string
  message: string
  fix?: string
}

export interface Instance {
  /** Holds the config file, and the data folder `data`. */
  cwd: string
  env: Record<string, string>
  /** Absent: it is a file. */
  database?: TestDatabase
  /** Runs statements on the database. */
  sql(...statements: string[]): Promise<void>
  /** Deletes the database, but not the folder. */
  drop(): Promise<void>
}

const SOUND = {
  MAYFLY_PUBLIC_URL: 'https://s.example.org',
  MAYFLY_TRUSTED_PROXIES: '127.0.0.1',
  MAYFLY_PLUGINS: ',',
  MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
}
const BLOB = '0'.repeat(32)

/** A sound instance below `root`, with its database in the data folder. */
export async function makeSoundInstance(root: string): Promise<Instance> {
  const cwd = await makeFolder(root)
  const instance: Instance = {
    cwd,
    env: SOUND,
    sql: (...statements) => runOnFile(cwd, statements),
    drop: async () => {},
  }
  await fill(instance)
  return instance
}

/** A sound instance below `root`, with its database on a server. */
export async function makeSoundInstanceOn(engine: EngineName, root: string, server?: string): Promise<Instance> {
  const database = await makeDatabase(engine, server)
  const sql = async (...statements: string[]) => {
    for (const each of statements) await database.db.raw(each)
  }
  const instance = {
    cwd: await makeFolder(root),
    env: { ...SOUND, ...database.env },
    database,
    sql,
    drop: database.drop,
  }
  await mkdir(join(instance.cwd, 'data/files'), { mode: 0o700 })
  await fillServer(database)
  return instance
}

async function makeFolder(root: string): Promise<string> {
  const cwd = await mkdtemp(join(root, 'sound-'))
  await mkdir(join(cwd, 'data'), { mode: 0o700 })
  await writeFile(join(cwd, 'mayfly.config.json'), '{}', { mode: 0o600 })
  return cwd
}

async function fill({ cwd, env }: Instance): Promise<void> {
  const user = ['user', 'add', 'zoe-x', '--role', 'admin', '--email', 'z@example.org']
  for (const args of [['migrate'], user]) expect(await run(args, { cwd, env })).toMatchObject({ code: 0 })
}

/** The same by functions: a command hashes a password, and there is an instance for each fault. */
async function fillServer(database: TestDatabase): Promise<void> {
  const { storage, close } = await database.open()
  await storage.migrate()
  await storage.users.create(aUser({ username: 'zoe-x', role: 'admin', email: 'z@example.org' }))
  await close()
}

/** Copies the folder. A database on a server stays the same. */
export async function copyInstance(sound: Instance, root: string): Promise<Instance> {
  const cwd = await mkdtemp(join(root, 'faulty-'))
  await cp(sound.cwd, cwd, { recursive: true })
  await chmod(join(cwd, 'data'), 0o700)
  const isFile = sound.env === SOUND
  return { ...sound, cwd, ...(isFile && { sql: (...statements) => runOnFile(cwd, statements) }) }
}

/** Returns the findings, except the finding about an old Node.js that runs the tests. */
export async function diagnose(instance: Instance, env: Record<string, string> = {}, ...flags: string[]) {
  const { cwd } = instance
  const { stdout, stderr, code } = await run(['doctor', '--json', ...flags], { cwd, env: { ...instance.env, ...env } })
  expect(stdout.toString(), stderr).not.toBe('')
  const all: Finding[] = JSON.parse(stdout.toString())
  const bad = all.filter(({ level, section, check }) => level !== 'ok' && `${section}: ${check}` !== 'config: node')
  return { bad, stderr, code }
}

/**
 * Plants a fault, and expects that `doctor` finds it, alone and with its fix. If the fault has a `repair`, the fix must
 * work.
 */
export async function expectFinding(instance: Instance, fault: Fault): Promise<void> {
  const { config, plant, finds, fix, repair } = fault
  if (config) await writeFile(join(instance.cwd, 'mayfly.config.json'), JSON.stringify(config))
  const planted = (await plant?.(instance)) as Planted | undefined
  const env = { ...fault.env, ...planted?.env }
  const { bad, stderr } = await diagnose(instance, env)
  const found = bad.find(({ section, check }) => `${section}: ${check}` === finds)
  expect(found, JSON.stringify(bad)).toBeDefined()
  expect(found?.fix).toMatch(fix instanceof RegExp ? fix : new RegExp(fix.replace(/[.*+?/|()]/g, '\\$&')))
  // One fault is one finding, unless the database could not be opened because of it.
  if (finds !== 'disk: data folder') expect(bad).toHaveLength(1)
  expect(JSON.stringify(bad) + stderr).not.toContain('hunter2')
  if (repair) {
    await repair(found?.fix ?? '', instance)
    expect((await diagnose(instance, env)).bad).toEqual([])
  }
  await planted?.end?.()
}

/** Variables of a planted fault, and the function that ends it. */
export interface Planted {
  /** Variables with which `doctor` runs. */
  env?: Record<string, string>
  end?(): Promise<void>
}

async function runOnFile(cwd: string, statements: string[]): Promise<void> {
  const db = knex({ client: 'sqlite3', connection: join(cwd, 'data/mayfly.db'), useNullAsDefault: true })
  for (const each of statements) await db.raw(each)
  await db.destroy()
}

/** Overwrites the middle of the database. */
async function corrupt({ cwd, sql }: Instance): Promise<void> {
  await sql('PRAGMA wal_checkpoint(TRUNCATE)')
  const file = await open(join(cwd, 'data/mayfly.db'), 'r+')
  const { size } = await file.stat()
  for (let at = 4096; at + 1024 < size; at += 2048) await file.write(Buffer.alloc(900, 0x5a), 0, 900, at + 64)
  await file.close()
}

export interface Fault {
  name: string
  env?: Record<string, string>
  config?: object
  plant?(instance: Instance): Promise<unknown>
  /** It is planted with statements. */
  isInDatabase?: boolean
  finds: string
  /** A part of the fix. */
  fix: string | RegExp
  /** Does what the fix says. */
  repair?(fix: string, instance: Instance): Promise<unknown>
}

/** Faults on every engine. */
export const FAULTS: Fault[] = [
  {
    name: 'a full event queue',
    isInDatabase: true,
    plant: ({ sql }) =>
      sql(
        `INSERT INTO outbox (id, subscriber, subject, type, data, created_at, state, attempts, next_at, ended_at, result)
         VALUES ('evt_1', 'webhook.old', 'secret:a', 'secret.viewed', '{}', 0, 'dead', 0, 0, 0, 'queue full')`,
      ),
    finds: 'database: events for webhook.old',
    fix: 'mayfly events purge --subscriber webhook.old',
  },
  {
    name: 'data folder readable by others',
    plant: ({ cwd }) => chmod(join(cwd, 'data'), 0o755),
    finds: 'disk: data folder',
    fix: 'chmod 700',
  },
  {
    name: 'data folder is a file',
    env: { MAYFLY_DATA_DIR: 'mayfly.config.json/x' },
    finds: 'disk: data folder',
    fix: 'owner',
  },
  { name: 'no public URL', env: { MAYFLY_PUBLIC_URL: '' }, finds: 'config: publicUrl', fix: 'MAYFLY_PUBLIC_URL' },
  {
    name: 'public URL without TLS',
    env: { MAYFLY_PUBLIC_URL: 'http://s.example.org', MAYFLY_ALLOW_HTTP: 'true' },
    finds: 'config: publicUrl',
    fix: 'https reverse proxy',
  },
  {
    name: 'no trusted proxy',
    env: { MAYFLY_TRUSTED_PROXIES: '' },
    finds: 'config: trustedProxies',
    fix: 'MAYFLY_TRUSTED_PROXIES',
  },
  {
    name: 'every address trusted',
    env: { MAYFLY_TRUSTED_PROXIES: '0.0.0.0/0' },
    finds: 'config: settings',
    fix: 'correct MAYFLY_TRUSTED_PROXIES',
  },
  {
    name: 'every address trusted on purpose',
    env: { MAYFLY_TRUSTED_PROXIES: 'any' },
    finds: 'config: trustedProxies',
    fix: 'address of the proxy',
  },
  {
    name: 'sign-in headers of every address',
    env: { MAYFLY_AUTH: 'proxy-auth', MAYFLY_PROXY_AUTH_FROM: '0.0.0.0/0' },
    finds: 'config: settings',
    fix: 'correct MAYFLY_PROXY_AUTH_FROM',
  },
  {
    name: 'sign-in headers of every address on purpose',
    env: { MAYFLY_AUTH: 'proxy-auth', MAYFLY_PROXY_AUTH_FROM: 'any' },
    finds: 'config: proxy-auth.from',
    fix: 'MAYFLY_PROXY_AUTH_FROM',
  },
  {
    name: 'misspelled variable',
    env: { MAYFLY_PUBLICURL: 'x' },
    finds: 'config: MAYFLY_PUBLICURL',
    fix: 'MAYFLY_PUBLIC_URL?',
  },
  {
    name: 'variable in the singular',
    env: { MAYFLY_TRUSTED_PROXY: 'x' },
    finds: 'config: MAYFLY_TRUSTED_PROXY',
    fix: 'MAYFLY_TRUSTED_PROXIES?',
  },
  { name: 'unknown variable', env: { MAYFLY_BOGUS: 'x' }, finds: 'config: MAYFLY_BOGUS', fix: 'unset MAYFLY_BOGUS' },
  {
    name: 'variable and its file',
    env: { MAYFLY_LOG: 'warn', MAYFLY_LOG_FILE: 'x' },
    finds: 'config: MAYFLY_LOG',
    fix: 'unset MAYFLY_LOG or MAYFLY_LOG_FILE',
  },
  {
    name: 'section of a file store that is not in use',
    config: { s3: { bucket: 'secrets', secretAccessKey: 'hunter2' } },
    finds: 'config: s3',
    fix: 'files=s3',
  },
  {
    name: 'config file with a password',
    config: { instanceKey: 'ab'.repeat(32) },
    plant: ({ cwd }) => chmod(join(cwd, 'mayfly.config.json'), 0o644),
    finds: 'config: config file',
    fix: /^chmod 600 .*mayfly\.config\.json$/,
  },
  {
    name: 'metrics for everyone',
    env: { MAYFLY_PLUGINS: 'metrics', MAYFLY_METRICS_HOST: '0.0.0.0' },
    finds: 'config: metrics',
    fix: 'MAYFLY_METRICS_TOKEN',
  },
  { name: 'limits off', env: { MAYFLY_LIMITS: 'off' }, finds: 'config: limits', fix: 'MAYFLY_LIMITS' },
  {
    name: 'provider unreachable',
    env: { MAYFLY_AUTH: 'local-auth,oidc', MAYFLY_OIDC_ISSUER: 'http://127.0.0.1:1', MAYFLY_OIDC_CLIENT_ID: 'x' },
    finds: 'config: oidc issuer',
    fix: 'curl http://127.0.0.1:1/.well-known',
  },
  { name: 'plugin missing', env: { MAYFLY_PLUGINS: './none.js' }, finds: 'config: settings', fix: 'configuration.md' },
  { name: 'wrong type', env: { MAYFLY_PORT: '70000' }, finds: 'config: settings', fix: 'correct MAYFLY_PORT' },
  {
    name: 'file of the web app missing',
    env: { MAYFLY_PLUGINS: 'web', MAYFLY_WEB_PRIVACY_FILE: 'none.md' },
    finds: 'config: web',
    fix: 'correct the settings of the plugin "web"',
  },
  {
    name: 'no administrator',
    isInDatabase: true,
    plant: ({ sql }) => sql("update users set role = 'user'"),
    finds: 'database: administrator',
    fix: 'mayfly user add NAME --role admin',
  },
  {
    name: 'old schema',
    isInDatabase: true,
    plant: ({ sql }) =>
      sql('delete from migrations where name = (select name from (select max(name) as name from migrations) as last)'),
    finds: 'database: schema',
    fix: /^run `mayfly migrate`$/,
  },
  {
    name: 'newer schema',
    isInDatabase: true,
    plant: ({ sql }) => sql("insert into migrations select '999_later', ran_at from migrations limit 1"),
    finds: 'database: schema',
    fix: /^use the version/,
  },
  {
    name: 'bucket unreachable',
    env: {
      MAYFLY_FILES: 's3',
      MAYFLY_S3_ENDPOINT: 'http://127.0.0.1:1',
      MAYFLY_S3_BUCKET: 'secrets',
      MAYFLY_S3_ACCESS_KEY_ID: 'x',
      MAYFLY_S3_SECRET_ACCESS_KEY: 'hunter2',
    },
    finds: 'files: start',
    fix: 's3.endpoint',
  },
  {
    name: 'disk of the files not mounted',
    isInDatabase: true,
    async plant({ cwd, sql }) {
      await rm(join(cwd, 'data/files'), { recursive: true })
      const stored = [5000, Number.MAX_SAFE_INTEGER].join()
      await sql(
        "delete from rate_limits where name = 'storedbytes'",
        `insert into rate_limits (name, used, ends_at) values ('storedbytes', ${stored})`,
      )
    },
    finds: 'files: store',
    fix: 'mount the disk',
  },
  {
    name: 'orphaned blob',
    async plant({ cwd }) {
      const folder = join(cwd, 'data/files', BLOB.slice(0, 2))
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, BLOB), 'x')
      await utimes(join(folder, BLOB), 1, 1)
    },
    finds: 'files: orphans',
    fix: 'mayfly purge --orphans',
  },
]

/** Faults of an instance with the file of SQLite. */
export const FAULTS_OF_SQLITE: Fault[] = [
  {
    name: 'section of a plugin that is not in use',
    config: { postgres: { url: 'postgres://u:hunter2@db/x' } },
    finds: 'config: postgres',
    fix: 'storage=postgres',
  },
  { name: 'damaged database', plant: corrupt, finds: 'database: damage', fix: 'mayfly restore' },
  {
    name: 'not a database',
    plant: ({ cwd }) => writeFile(join(cwd, 'data/mayfly.db'), 'x'.repeat(5000)),
    finds: 'database: damage',
    fix: 'correct sqlite.file',
  },
  {
    name: 'database is a folder',
    async plant({ cwd }) {
      await rm(join(cwd, 'data/mayfly.db'))
      await mkdir(join(cwd, 'data/mayfly.db'))
    },
    finds: 'database: start',
    fix: /^correct sqlite\.file$/,
  },
  {
    name: 'password with an @ and a /',
    env: { MAYFLY_DATABASE_URL: 'postgres://u:p@hunter2/w@127.0.0.1/x' },
    finds: 'config: settings',
    fix: 'correct MAYFLY_DATABASE_URL',
  },
  {
    name: 'database missing',
    plant: ({ cwd }) => rm(join(cwd, 'data/mayfly.db')),
    finds: 'database: start',
    fix: 'MAYFLY_DATA_DIR',
  },
  {
    name: 'database unreachable',
    env: { MAYFLY_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
    finds: 'database: start',
    fix: 'host and port',
  },
]
