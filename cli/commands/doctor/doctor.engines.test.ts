/** `doctor` and `purge` on every engine. */

import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSecret } from '#core/testing'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { makeBucket, type S3Options } from '#test/s3'
import type { CheckResult } from './check-result.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-doctor-'))
})
afterAll(() => rm(folder, { recursive: true }))

describeEachEngine((engine) => {
  /** A database without a schema, and what `doctor` finds bad. */
  async function instance() {
    const database = await makeDatabase(engine)
    const dataDir = await mkdtemp(join(folder, 'data-'))
    await chmod(dataDir, 0o700)
    const env = {
      ...database.env,
      MAYFLY_PLUGINS: ',',
      MAYFLY_DATA_DIR: dataDir,
      MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
    }
    const look = async (...flags: string[]) => {
      const { stdout, code } = await run(['doctor', '--json', ...flags], { env })
      const bad = (JSON.parse(`${stdout}`) as CheckResult[]).filter(
        ({ level, check }) => level !== 'ok' && !['node', 'administrator'].includes(check),
      )
      return { code, bad: bad.map(({ section, check }) => `${section}: ${check}`) }
    }
    return { database, dataDir, env, look }
  }

  test('doctor reports an old schema and overdue data, and purge deletes it', async () => {
    const { database, dataDir, env, look } = await instance()
    expect(await look()).toEqual({ code: 9, bad: ['config: publicUrl', 'database: schema'] })
    const { storage, close } = await database.open()
    await storage.migrate()
    expect(await look()).toEqual({ code: 0, bad: ['config: publicUrl'] })
    expect(await look('--strict')).toMatchObject({ code: 9 })
    expect(await look('--section', 'files', '--strict')).toEqual({ code: 0, bad: [] })
    const now = Date.now()
    for (const ago of [1, 2])
      await storage.secrets.create({
        secret: aSecret({ createdAt: now, expiresAt: now - ago * 3_600_000 }),
        now: now - 5 * 3_600_000,
      })
    await storage.secrets.create({ secret: aSecret({ createdAt: now, expiresAt: now + 3_600_000 }), now })
    expect((await look()).bad).toContain('database: cleanup')
    expect(await run(['purge', '--dry-run'], { env })).toMatchObject({
      code: 0,
      stderr: 'mayfly: would remove 2 secrets, 0 files\n',
    })
    expect(await run(['purge'], { env })).toMatchObject({ code: 0, stderr: 'mayfly: removed 2 secrets, 0 files\n' })
    expect(await run(['purge', '--orphans'], { env })).toMatchObject({ code: 0, stderr: '', stdout: Buffer.alloc(0) })
    expect(await look()).toEqual({ code: 0, bad: ['config: publicUrl'] })
    await chmod(dataDir, 0o755)
    expect((await look()).bad).toContain('disk: data folder')
    await close()
    await database.drop()
  })

  test('doctor names the database, the user or the setting that is wrong', async () => {
    const { database, env, look } = await instance()
    const { storage, close } = await database.open()
    await storage.migrate()
    await close()
    expect((await look()).bad).toEqual(['config: publicUrl'])
    for (const { variables, plant, heal, fix } of await listServerFaults(database)) {
      await plant?.()
      const { stdout } = await run(['doctor', '--json'], { env: { ...env, ...variables } })
      await heal?.()
      const bad = (JSON.parse(`${stdout}`) as CheckResult[]).filter(
        ({ section, level }) => section !== 'config' && level !== 'ok',
      )
      expect(bad).toEqual([
        expect.objectContaining({ check: 'start', level: 'fail', fix: expect.stringContaining(fix) }),
      ])
      expect(JSON.stringify(bad)).not.toContain('hunter2')
    }
    await database.drop()
  })

  test('--fix repairs the given sections and reports the rest', async () => {
    const { database, dataDir, look } = await instance()
    await chmod(dataDir, 0o755)
    expect(await look('--fix', '--section', 'database', 'files')).toEqual({ code: 0, bad: [] })
    const { storage, close } = await database.open()
    const now = Date.now()
    await storage.secrets.create({
      secret: aSecret({ createdAt: now, expiresAt: now - 3_600_000 }),
      now: now - 5 * 3_600_000,
    })
    expect((await look()).bad).toEqual(['config: publicUrl', 'disk: data folder', 'database: cleanup'])
    expect(await look('--fix')).toEqual({ code: 0, bad: ['config: publicUrl'] })
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await database.db('secrets').select('id')).toEqual([])
    await close()
    await database.drop()
  })
})

test('doctor names the bucket that does not exist, and the access key that is wrong', needs('s3'), async () => {
  const database = await makeDatabase('sqlite')
  const bucket = await makeBucket()
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const look = async (options: Partial<S3Options>) => {
    const env = { ...database.env, ...bucket.env({ ...bucket.options(), ...options }), MAYFLY_DATA_DIR: dataDir }
    const { stdout } = await run(['doctor', '--json', '--section', 'files'], { env: { ...env, MAYFLY_PLUGINS: ',' } })
    return (JSON.parse(`${stdout}`) as CheckResult[]).filter(({ level }) => level !== 'ok')
  }
  const { storage, close } = await database.open()
  await storage.migrate()
  await close()
  expect(await look({})).toEqual([])
  expect(await look({ bucket: 'no-such-bucket' })).toEqual([
    expect.objectContaining({ check: 'start', fix: expect.stringContaining('s3.bucket') }),
  ])
  expect(await look({ secretAccessKey: 'hunter2' })).toEqual([
    expect.objectContaining({ check: 'start', fix: expect.stringContaining('s3.secretAccessKey') }),
  ])
  await bucket.drop()
  await database.drop()
})

interface ServerFault {
  variables?: Record<string, string>
  plant?: () => Promise<unknown>
  heal?: () => Promise<unknown>
  /** Part of the fix. */
  fix: string
}

/** Faults of a database server; none for SQLite. */
async function listServerFaults({ engine, options, db }: TestDatabase): Promise<ServerFault[]> {
  if (engine === 'sqlite') return []
  const change = (part: Partial<URL>) => {
    const url = Object.assign(new URL(String(options.url)), part).href
    return { [`MAYFLY_${engine.toUpperCase()}_URL`]: url }
  }
  const faults: ServerFault[] = [
    { variables: change({ username: 'stranger', password: 'hunter2' }), fix: 'user and password' },
    { variables: change({ pathname: '/nowhere' }), fix: 'create the database' },
    { variables: change({ port: '1' }), fix: 'host and port' },
  ]
  if (engine !== 'postgres') return faults
  const name = new URL(String(options.url)).pathname.slice(1)
  const alter = (what: string) => () => db.raw(`alter database "${name}" ${what}`)
  const other = `${name}_ascii`
  return [
    ...faults,
    {
      plant: alter('set synchronous_commit = off'),
      heal: alter('reset synchronous_commit'),
      fix: 'turn it on in postgresql.conf',
    },
    {
      variables: change({ pathname: `/${other}` }),
      plant: () =>
        db.raw(`create database "${other}" encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`),
      heal: () => db.raw(`drop database "${other}"`),
      fix: '--encoding UTF8',
    },
  ]
}
