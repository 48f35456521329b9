import supertest from 'supertest'
import { expect, test } from 'vitest'
import type { Plugin } from '#core'
import { builtIns } from '#plugins'
import { testApp } from '../testing/test-app.js'

const memory = async () => (await builtIns.memory()).default as unknown as Plugin

test('anyone sees counts, but not those that one person could have caused', async () => {
  const app = await testApp(await memory())
  const create = (body: object) =>
    supertest(app.handler)
      .post('/api/v1/secret')
      .send({ text: 'x', ttl: 60, ...body })
      .expect(201)
  for (let times = 0; times < 5; times++) await create({})
  await create({ isPublic: true })
  await app.services.stats.flush()
  const { body } = await supertest(app.handler).get('/api/v1/stats').expect(200)
  expect(body.days).toHaveLength(30)
  expect(body.days.at(-1)).toMatchObject({ day: '2026-01-01', created: 6, public: null, viewed: 0 })
  expect(body.total).toMatchObject({ created: 6, public: null, viewed: 0 })
  await app.close()
})

test('with statsFor "admin" a visitor sees none', async () => {
  const app = await testApp(await memory(), { settings: { statsFor: 'admin' } })
  const { body } = await supertest(app.handler).get('/api/v1/stats').expect(401)
  expect(body.code).toBe('auth.required')
  await app.close()
})

test('what was counted when the instance stops is written', async () => {
  const app = await testApp(await memory())
  await supertest(app.handler).post('/api/v1/secret').send({ text: 'x', ttl: 60 }).expect(201)
  await app.close()
  expect(await app.storage.stats.since('2026-01-01')).toContainEqual({ day: '2026-01-01', name: 'created', count: 1 })
})
