import { afterAll, beforeAll, expect, test } from 'vitest'
import { aHash, aSecret, aUser, MINUTE, T0 } from '#core/testing'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { knexStorage } from '../index.js'

let database: TestDatabase
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  await knexStorage(database.db).migrate()
})
afterAll(() => database.drop())

/** The statements that `run` executes, without their values. */
async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const listener = ({ sql }: { sql: string }) => void statements.push(sql)
  database.db.on('query', listener)
  await run()
  database.db.removeListener('query', listener)
  return statements
}

test('recording ends does not add statements for secrets without an owner and for views before the last one', async () => {
  const { secrets, users } = knexStorage(database.db)
  const owner = aUser()
  await users.create(owner)
  const create = async (differing = {}) => {
    const secret = aSecret(differing)
    await secrets.create({ secret, now: T0 })
    return secret.id
  }
  const view = (id: string, recordsEnd: boolean) =>
    secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE, recordsEnd })
  const countsOf = async (differing: object, recordsEnd: boolean) => {
    const [viewed, burned] = [await create(differing), await create(differing)]
    await create({ ...differing, expiresAt: T0 })
    const runs = [
      () => view(viewed, recordsEnd),
      () => secrets.burn({ id: burned, now: T0, events: [], recordsEnd }),
      () => secrets.deleteExpired({ now: T0, limit: 100, recordsEnd }),
    ]
    const counts: number[] = []
    for (const run of runs) counts.push((await statementsOf(run)).length)
    return counts
  }
  const plain = await countsOf({}, false)
  expect(await countsOf({}, true)).toEqual(plain)
  expect(await countsOf({ ownerId: owner.id }, false)).toEqual(plain)
  expect(await countsOf({ ownerId: owner.id }, true)).toEqual(plain.map((count) => count + 1))
  const first = await statementsOf(async () => view(await create({ ownerId: owner.id, maxViews: 2 }), true))
  expect(first.join()).not.toContain('ended_secrets')
})
