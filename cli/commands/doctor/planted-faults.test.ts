/** `doctor` on one machine: silent on a sound instance, and one finding with its fix for each planted fault. */

import { chmod, cp, mkdir, mkdtemp, open, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import knex from 'knex'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '#test/run-cli'
import { checkNodeVersion } from './config-checks.js'

interface Finding {
  section: string
  check: string
  level: string
  message: string
  fix?: string
}

const SOUND = {
  MAYFLY_PUBLIC_URL: 'https://s.example.org',
  MAYFLY_TRUSTED_PROXIES: '127.0.0.1',
  MAYFLY_PLUGINS: ',',
  MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
}
const BLOB = '0'.repeat(32)

let root: string
/** A sound instance, which each test copies. */
let sound: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'mayfly-faults-'))
  sound = join(root, 'sound')
  await mkdir(join(sound, 'data'), { recursive: true, mode: 0o700 })
  await writeFile(join(sound, 'mayfly.config.json'), '{}', { mode: 0o600 })
  const at = { cwd: sound, env: SOUND }
  expect(await run(['migrate'], at)).toMatchObject({ code: 0 })
  expect(await run(['user', 'add', 'zoe-x', '--role', 'admin', '--email', 'z@example.org'], at)).toMatchObject({
    code: 0,
  })
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function copyInstance(): Promise<string> {
  const cwd = await mkdtemp(join(root, 'faulty-'))
  await cp(sound, cwd, { recursive: true })
  await chmod(join(cwd, 'data'), 0o700)
  return cwd
}

/** Returns the findings, without the one about an old Node.js that runs the tests. */
async function diagnose(cwd: string, env: Record<string, string>, ...flags: string[]) {
  const { stdout, stderr, code } = await run(['doctor', '--json', ...flags], { cwd, env: { ...SOUND, ...env } })
  expect(stdout.toString(), stderr).not.toBe('')
  const all: Finding[] = JSON.parse(stdout.toString())
  const bad = all.filter(({ level, section, check }) => level !== 'ok' && `${section}: ${check}` !== 'config: node')
  return { bad, stderr, code }
}

const sql = async (cwd: string, ...statements: string[]) => {
  const db = knex({ client: 'sqlite3', connection: join(cwd, 'data/mayfly.db'), useNullAsDefault: true })
  for (const each of statements) await db.raw(each)
  await db.destroy()
}

/** Overwrites the middle of the database. */
async function corrupt(cwd: string): Promise<void> {
  await sql(cwd, 'PRAGMA wal_checkpoint(TRUNCATE)')
  const file = await open(join(cwd, 'data/mayfly.db'), 'r+')
  const { size } = await file.stat()
  for (let at = 4096; at + 1024 < size; at += 2048) await file.write(Buffer.alloc(900, 0x5a), 0, 900, at + 64)
  await file.close()
}

interface Fault {
  name: string
  env?: Record<string, string>
  config?: object
  plant?(cwd: string): Promise<unknown>
  finds: string
  /** What the fix has to name. */
  fix: string | RegExp
}

const FAULTS: Fault[] = [
  {
    name: 'dropped events',
    plant: (cwd) =>
      sql(
        cwd,
        `INSERT INTO outbox (id, subscriber, subject, type, data, created_at, state, attempts, next_at) VALUES
         ('dropped:webhook.old', 'webhook.old', 'subscriber:webhook.old', 'events.dropped',
          '{"count":42,"firstAt":0,"lastAt":1,"types":{"secret.viewed":42}}', 0, 'counting', 0, 0)`,
      ),
    finds: 'database: events for webhook.old',
    fix: 'mayfly events purge --subscriber webhook.old',
  },
  {
    name: 'data folder readable by others',
    plant: (cwd) => chmod(join(cwd, 'data'), 0o755),
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
    name: 'section of a plugin that is not in use',
    config: { postgres: { url: 'postgres://u:hunter2@db/x' } },
    finds: 'config: postgres',
    fix: 'storage=postgres',
  },
  {
    name: 'config file with a password',
    config: { instanceKey: 'ab'.repeat(32) },
    plant: (cwd) => chmod(join(cwd, 'mayfly.config.json'), 0o644),
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
    plant: (cwd) => sql(cwd, "update users set role = 'user'"),
    finds: 'database: administrator',
    fix: 'mayfly user add NAME --role admin',
  },
  {
    name: 'old schema',
    plant: (cwd) => sql(cwd, 'delete from migrations where name = (select max(name) from migrations)'),
    finds: 'database: schema',
    fix: /^run `mayfly migrate`$/,
  },
  {
    name: 'newer schema',
    plant: (cwd) => sql(cwd, "insert into migrations select '999_later', ran_at from migrations limit 1"),
    finds: 'database: schema',
    fix: /^use the version/,
  },
  { name: 'damaged database', plant: corrupt, finds: 'database: damage', fix: 'mayfly restore' },
  {
    name: 'not a database',
    plant: (cwd) => writeFile(join(cwd, 'data/mayfly.db'), 'x'.repeat(5000)),
    finds: 'database: damage',
    fix: 'correct sqlite.file',
  },
  {
    name: 'database missing',
    plant: (cwd) => rm(join(cwd, 'data/mayfly.db')),
    finds: 'database: start',
    fix: 'MAYFLY_DATA_DIR',
  },
  {
    name: 'database unreachable',
    env: { MAYFLY_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
    finds: 'database: start',
    fix: 'host and port',
  },
  {
    name: 'bucket unreachable',
    env: {
      ...{ MAYFLY_FILES: 's3', MAYFLY_S3_ENDPOINT: 'http://127.0.0.1:1', MAYFLY_S3_BUCKET: 'secrets' },
      ...{ MAYFLY_S3_ACCESS_KEY_ID: 'x', MAYFLY_S3_SECRET_ACCESS_KEY: 'hunter2' },
    },
    finds: 'files: start',
    fix: 's3.endpoint',
  },
  {
    name: 'disk of the files not mounted',
    async plant(cwd) {
      await rm(join(cwd, 'data/files'), { recursive: true })
      const stored = [5000, Number.MAX_SAFE_INTEGER].join()
      await sql(cwd, `insert or replace into limits (name, used, ends_at) values ('storedbytes', ${stored})`)
    },
    finds: 'files: store',
    fix: 'mount the disk',
  },
  {
    name: 'orphaned blob',
    async plant(cwd) {
      const folder = join(cwd, 'data/files', BLOB.slice(0, 2))
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, BLOB), 'x')
      await utimes(join(folder, BLOB), 1, 1)
    },
    finds: 'files: orphans',
    fix: 'mayfly purge --orphans',
  },
]

test('doctor is silent on a sound instance', async () => {
  const cwd = await copyInstance()
  expect(await diagnose(cwd, {})).toEqual({ bad: [], stderr: '', code: 0 })
})

test('doctor creates no files or folders', async () => {
  const cwd = await copyInstance()
  await rm(join(cwd, 'data/mayfly.db-reserve'), { force: true })
  await rm(join(cwd, 'data/files'), { recursive: true })
  // SQLite creates and deletes its write-ahead log as it needs it.
  const list = async () => (await readdir(cwd, { recursive: true })).filter((path) => !/-(wal|shm)$/.test(path)).sort()
  const before = await list()
  expect((await diagnose(cwd, {})).bad).toEqual([])
  expect(await list()).toEqual(before)
  await mkdir(join(cwd, 'data/files/tmp'), { recursive: true })
  expect((await diagnose(cwd, { MAYFLY_PLUGINS: 'audit-file' })).bad).toEqual([])
  expect(await list()).toEqual([...before, 'data/files', 'data/files/tmp'].sort())
})

test.each(FAULTS)('doctor finds: $name', async ({ env = {}, config, plant, finds, fix }) => {
  const cwd = await copyInstance()
  if (config) await writeFile(join(cwd, 'mayfly.config.json'), JSON.stringify(config))
  await plant?.(cwd)
  const { bad, stderr } = await diagnose(cwd, env)
  const found = bad.find(({ section, check }) => `${section}: ${check}` === finds)
  expect(found, JSON.stringify(bad)).toBeDefined()
  expect(found?.fix).toMatch(fix instanceof RegExp ? fix : new RegExp(fix.replace(/[.*+?/|()]/g, '\\$&')))
  // One fault is one finding, unless the database could not be opened because of it.
  if (finds !== 'disk: data folder') expect(bad).toHaveLength(1)
  expect(JSON.stringify(bad) + stderr).not.toContain('hunter2')
})

test('--fix repairs the config file and deletes orphaned blobs', async () => {
  const cwd = await copyInstance()
  const config = join(cwd, 'mayfly.config.json')
  await writeFile(config, JSON.stringify({ instanceKey: 'ab'.repeat(32) }))
  await chmod(config, 0o644)
  await FAULTS.find(({ name }) => name === 'orphaned blob')?.plant?.(cwd)
  expect((await diagnose(cwd, {}, '--fix')).bad).toEqual([])
  expect((await stat(config)).mode & 0o777).toBe(0o600)
})

test('purge --orphans --dry-run counts what purge --orphans deletes', async () => {
  const cwd = await copyInstance()
  await FAULTS.find(({ name }) => name === 'orphaned blob')?.plant?.(cwd)
  const purge = async (...flags: string[]) => {
    const { stdout } = await run(['purge', '--orphans', '--json', ...flags], { cwd, env: SOUND })
    return JSON.parse(stdout.toString())
  }
  expect(await purge('--dry-run')).toMatchObject({ orphans: 1, dry_run: true })
  expect(await purge()).toMatchObject({ orphans: 1, dry_run: false })
  expect(await purge('--dry-run')).toMatchObject({ orphans: 0 })
})

test('a damaged database is exit code 9 in every command', async () => {
  const cwd = await copyInstance()
  await writeFile(join(cwd, 'data/mayfly.db'), 'x'.repeat(5000))
  for (const args of [['user', 'list'], ['backup', 'x.tar'], ['migrate', 'status'], ['doctor']]) {
    const { stderr, code } = await run(args, { cwd, env: SOUND })
    expect(code, args.join(' ')).toBe(9)
    expect(stderr).not.toContain('unexpected failure')
  }
})

test('Node.js after its end of life is reported', () => {
  const at = (date: string) => Date.parse(date)
  expect(checkNodeVersion('20.19.0', at('2026-04-29')).level).toBe('ok')
  expect(checkNodeVersion('20.19.0', at('2026-05-02')).level).toBe('warn')
  expect(checkNodeVersion('24.1.0', at('2026-05-02')).level).toBe('ok')
  expect(checkNodeVersion('25.1.0', at('2026-05-02')).level).toBe('warn')
})
