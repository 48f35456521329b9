/** Commands that work on the database of an instance, on every engine. */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { run } from '#test/run-cli'

const PASSPHRASE = '[a-z]+(-[a-z]+){4}-\\d\\d'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-people-'))
  await mkdir(join(folder, 'data'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const ENV = { MAYFLY_PLUGINS: ',', MAYFLY_PUBLIC_URL: 'http://localhost:3999' }
async function mayfly(args: string[], stdin = '', env: Record<string, string> = ENV) {
  const { stdout, stderr, code } = await run(args, { env, cwd: folder, stdin })
  return { stdout: stdout.toString(), stderr, code }
}

describeEachEngine((engine) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await makeDatabase(engine)
  })
  afterEach(() => database.drop())

  test('an empty database is made ready, and one of another version is left as it is', async () => {
    const env = { ...ENV, ...database.env }
    const made = await mayfly(['user', 'add', 'root', '--role', 'admin', '--email', 'root@example.org'], '', env)
    expect(made).toMatchObject({ stdout: expect.stringMatching(PASSPHRASE), code: 0 })
    expect(made.stderr).toMatch(new RegExp(`^mayfly: using ${engine} \\S+\n`))
    const last = (await database.db('migrations').orderBy('name').pluck('name')).at(-1)
    await database.db('migrations').where({ name: last }).delete()
    const behind = await mayfly(['user', 'list'], '', env)
    expect(behind).toMatchObject({ stdout: '', code: 6 })
    expect(await database.db('migrations').where({ name: last })).toEqual([])
  })
})
