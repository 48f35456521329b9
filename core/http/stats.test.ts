import supertest from 'supertest'
import { expect, test } from 'vitest'
import type { Plugin } from '#core'
import { builtIns } from '#plugins'
import { testApp } from '#test/test-app'

const memory = async () => (await builtIns.memory()).default as unknown as Plugin

test('anyone sees counts, but not those that one person could have caused', async () => {
  const app = await testApp(await memory())
  const create = (body: object) =>
    supertest(app.handler)
      .post('/api/v1/secret')
      .send({ text: 'x', ttl: 60, ...body })
      .expect(201)
  const stats = async () => {
    await app.services.stats.flush()
    return (await supertest(app.handler).get('/api/v1/stats').expect(200)).body
  }
  const made = []
  for (let times = 0; times < 5; times++) made.push((await create({})).body)
  await create({ isPublic: true })
  const body = await stats()
  expect(body.days).toHaveLength(30)
  expect(body.days.at(-1)).toMatchObject({ day: '2026-01-01', created: 6, public: null, viewed: 0 })
  expect(body.total).toMatchObject({ created: 6, public: null, opened: 0, viewed: 0 })
  expect(body).toMatchObject({ live: 6, medianWait: null })
  app.clock.now += 59_000
  for (const { id } of made.slice(1)) await supertest(app.handler).get(`/api/v1/secret/${id}`).expect(200)
  expect(await stats()).toMatchObject({ total: { opened: null }, live: null, medianWait: null })
  await supertest(app.handler).get(`/api/v1/secret/${made[0].id}`).expect(200)
  expect(await stats()).toMatchObject({ total: { opened: 5 }, live: null, medianWait: 60 })
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
  expect(await app.storage.stats.listSince('2026-01-01')).toContainEqual({
    day: '2026-01-01',
    name: 'created',
    count: 1,
  })
})
