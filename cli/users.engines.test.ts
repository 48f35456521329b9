/** Commands that work on the database, on every engine. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrations } from '#migrations'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { nextMigration } from '#test/next-migration'
import { createInstanceFolder, type InstanceFolder, PASSPHRASE, USER_COMMAND_ENV } from '#test/user-commands'

let instance: InstanceFolder
beforeEach(async () => {
  instance = await createInstanceFolder()
})
afterEach(() => instance.remove())

const ENV = USER_COMMAND_ENV
const mayfly: InstanceFolder['mayfly'] = (...args) => instance.mayfly(...args)

describeEachEngine((engine) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await makeDatabase(engine)
  })
  afterEach(() => database.drop())

  test('user add migrates an empty database, and user list does not migrate an old one', async () => {
    const env = { ...ENV, ...database.env }
    const made = await mayfly(['user', 'add', 'root', '--role', 'admin', '--email', 'root@example.org'], '', env)
    expect(made).toMatchObject({ stdout: expect.stringMatching(PASSPHRASE), code: 0 })
    expect(made.stderr).toMatch(new RegExp(`^mayfly: using ${engine} \\S+\n`))
    const ran = await database.db('migrations')
    migrations.push(nextMigration)
    const behind = await mayfly(['user', 'list'], '', env).finally(() => migrations.pop())
    expect(behind).toMatchObject({ stdout: '', code: 6 })
    expect(await database.db('migrations')).toEqual(ran)
  })
})
