import type { Knex } from 'knex'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aHash, aPublicSecret, aSecret, aUser, MINUTE, T0 } from '#core/testing'
import { knexStorage } from '#plugins/knex'
import { connect } from './connection.js'

let db: Knex
beforeEach(() => {
  db = connect(':memory:', 0)
})
afterEach(() => db.destroy())

test('no query reads a whole table', async () => {
  const { secrets, users, migrate } = knexStorage(db)
  await migrate()
  const queries: { sql: string; bindings: Knex.RawBinding[] }[] = []
  db.on('query', ({ sql, bindings }) => queries.push({ sql, bindings }))

  const [owner, claim] = [aUser(), aHash()]
  const secret = aPublicSecret({ ownerId: owner.id, maxViews: 1 })
  const page = { skip: 0, take: 10 }
  await users.create(owner)
  await users.find(owner.username)
  await secrets.create(secret, T0, { keyHash: aHash(), answer: '', expiresAt: T0 + MINUTE })
  await secrets.passwordFailed(secret.id, T0, MINUTE)
  await secrets.listByOwner(owner.id, page, T0)
  await secrets.listPublic({}, page, T0)
  await secrets.listPublic({ username: owner.username }, page, T0)
  for (let time = 0; time < 2; time++) await secrets.view(secret.id, claim, T0, MINUTE)
  await secrets.peek(secret.id, T0, claim)
  await secrets.ack(secret.id, claim, T0)
  await secrets.create(aSecret(), T0)
  await secrets.burn(secret.id, T0)
  await secrets.sweep(T0 + 20 * MINUTE, 100)

  const explained = queries.filter(({ sql }) => /^(select|update|delete)/.test(sql))
  db.removeAllListeners('query')
  const plans: { sql: string; steps: string[] }[] = []
  for (const { sql, bindings } of explained) {
    const steps = await db.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings)
    plans.push({ sql, steps: steps.map(({ detail }: { detail: string }) => detail) })
  }
  expect(plans.length).toBeGreaterThan(15)
  expect(plans.filter(({ steps }) => steps.some((step) => step.startsWith('SCAN')))).toEqual([])
})
