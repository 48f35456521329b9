/** `mayfly setup` with a database server and a bucket of S3. */

import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeDatabase } from '#test/databases'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { makeBucket } from '#test/s3'
import { ADMIN_FLAGS, registerSetupFolder } from '#test/setup-folder'
import { shell } from '#test/spawn-cli'
import { startServer } from '#test/start-server'

const NOTHING = Buffer.alloc(0)

const { path, setup, config } = registerSetupFolder()

const SERVERS = ['postgres', 'mysql'] as const
describe.each(SERVERS)('with %s and a bucket of S3', needs('postgres', 'mysql', 's3'), (engine) => {
  test('setup works twice, and its printed command works in an empty folder without variables', async () => {
    const [database, bucket] = [await makeDatabase(engine), await makeBucket()]
    const secrets = {
      MAYFLY_DATABASE_URL: database.options.url as string,
      MAYFLY_S3_SECRET_ACCESS_KEY: bucket.options().secretAccessKey,
    }
    const env = { ...bucket.env(), ...secrets, MAYFLY_PLUGINS: ',' }
    const first = await setup(['--no-input', ...ADMIN_FLAGS, '--generate-admin-password'], env)
    expect(first.code, first.stderr).toBe(0)
    expect(first.stdout.toString()).toMatch(/^[\w-]{20}\n$/)
    expect(first.stderr).toContain('test secret created, opened and gone')
    const written = await config()
    expect(written).toMatchObject({ databaseUrl: database.options.url, files: 's3', s3: { bucket: bucket.bucket } })
    expect(written).not.toHaveProperty(engine)

    const again = await setup(['--no-input'])
    expect(again).toMatchObject({ code: 0, stdout: NOTHING, stderr: expect.stringContaining('schema up to date') })
    expect(await config()).toEqual(written)

    const [command = ''] = /mayfly setup --no-input .*/.exec(first.stderr) ?? []
    const other = path('other')
    await mkdir(other)
    expect((await shell(command, { cwd: other })).stderr).toContain('MAYFLY_')
    const repeated = await shell(command, { cwd: other, env: secrets })
    expect(repeated).toMatchObject({
      code: 0,
      stdout: NOTHING,
      stderr: expect.stringContaining('an administrator exists already'),
    })
    expect(JSON.parse(await readFile(join(other, 'mayfly.config.json'), 'utf8'))).toEqual(written)

    expect(await bucket.objects()).toEqual([])
    expect([existsSync(path('data')), existsSync(join(other, 'data'))]).toEqual([false, false])
    await Promise.all([database.drop(), bucket.drop()])
  })

  test('setup says how to create a database that does not exist', async () => {
    const bucket = await makeBucket()
    const database = await makeDatabase(engine)
    const url = new URL(database.options.url as string)
    url.pathname = '/mayfly_nowhere_ä'
    const env = { ...bucket.env(), MAYFLY_DATABASE_URL: url.href, MAYFLY_PLUGINS: ',' }
    const { stderr, code } = await setup(['--no-input', ...ADMIN_FLAGS, '--generate-admin-password'], env)
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining('hint: create the database, with'), code: 6 })
    await Promise.all([database.drop(), bucket.drop()])
  })

  test('serve and doctor create no unused data folder', async () => {
    const [database, bucket] = [await makeDatabase(engine), await makeBucket()]
    const dataDir = path('nothing')
    const env = { ...bucket.env(), ...database.env, MAYFLY_PLUGINS: ',', MAYFLY_DATA_DIR: dataDir }
    const server = await startServer({ dataDir: path(), env })
    const look = await run(['doctor', '--section', 'disk', 'files'], { cwd: path(), env })
    await server.stop()
    expect(look.code, look.stderr).toBe(0)
    expect(existsSync(dataDir)).toBe(false)
    await Promise.all([database.drop(), bucket.drop()])
  })
})
