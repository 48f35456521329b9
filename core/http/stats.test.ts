import supertest from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { keepMemory, memory } from '#test/memory-plugin'
import { testApp } from '#test/test-app'

test('everyone gets counts in steps of five, with noise that stays the same', async () => {
  const app = await testApp(memory)
  const create = (body: object) =>
    supertest(app.handler)
      .post('/api/v1/secret')
      .send({ text: 'x', ttl: 60, ...body })
      .expect(201)
  const stats = async () => {
    await app.background.stats.flush()
    return (await supertest(app.handler).get('/api/v1/stats').expect(200)).body
  }
  const made = []
  for (let times = 0; times < 5; times++) made.push((await create({})).body)
  await create({ isPublic: true })
  const body = await stats()
  expect(body.days).toHaveLength(30)
  expect(body.days.at(-1)).toMatchObject({ day: '2026-01-01', viewed: 0 })
  expect(body.total).toMatchObject({ opened: 0, viewed: 0 })
  const [{ created }] = body.days.slice(-1)
  for (const shown of [created, body.total.created, body.total.public, body.live]) {
    expect((shown ?? 0) % 5).toBe(0)
    expect(shown ?? 0).toBeLessThan(25)
    expect(shown).not.toBe(0)
  }
  expect(await stats()).toEqual(body)
  app.clock.now += 59_000
  for (const { id } of made) await supertest(app.handler).get(`/api/v1/secret/${id}`).expect(200)
  const { total, medianWait } = await stats()
  expect([5, 10, 15, 20, null]).toContain(total.opened)
  expect(medianWait).toBe(total.opened === null ? null : 60)
  await app.close()
})

test('with statsFor "admin" a visitor gets no statistics', async () => {
  const app = await testApp(memory, { settings: { statsFor: 'admin' } })
  const { body } = await supertest(app.handler).get('/api/v1/stats').expect(401)
  expect(body.code).toBe('auth.required')
  await app.close()
})

test('pending counts are written when the instance stops', async () => {
  const { storage, empty } = keepMemory()
  onTestFinished(empty)
  const app = await testApp(storage)
  await supertest(app.handler).post('/api/v1/secret').send({ text: 'x', ttl: 60 }).expect(201)
  await app.close()
  expect(await app.storage.stats.listSince('2026-01-01')).toContainEqual({
    day: '2026-01-01',
    name: 'created',
    count: 1,
  })
})
