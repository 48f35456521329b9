/**
 * REL-22. Times, counts and sizes beyond 32 bits are stored and returned as numbers: drivers return BIGINT as text, and
 * 32-bit columns would overflow after years of use.
 */
import { expect, test } from 'vitest'
import { forEachStorage } from '#test/for-each-storage'
import { countParts } from '../attachments/part-layout.js'

const BIG = 2 ** 40 + 1
const YEAR_2100 = Date.UTC(2100, 0, 1)
const DAY = '2100-01-01'

forEachStorage((site) => {
  test('REL-22: a secret of the year 2100 is created, viewed and expires to the millisecond', async () => {
    site.app.clock.now = YEAR_2100
    const { body } = await site.call('POST', '/secret', {}, { text: 'text ☃', ttl: 3600 }).expect(201)
    expect(body.expiresAt).toBe(YEAR_2100 + 3600_000)
    site.app.clock.now += 3600_000 - 1
    const viewed = await site.call('GET', `/secret/${body.id}`).expect(200)
    expect(viewed.body.expiresAt).toBe(YEAR_2100 + 3600_000)
    site.app.clock.now += 1
    await site.call('GET', `/secret/${body.id}`).expect(404)
  })

  test('REL-22: a user, a session and a token of the year 2100 return their times as numbers', async () => {
    site.app.clock.now = YEAR_2100
    const user = await site.app.signUp()
    const { storage } = site.app
    const headers = await site.app.as(user)
    await site.call('GET', '/account', headers).expect(200)
    expect((await storage.sessions.list(user.id, YEAR_2100))[0]).toMatchObject({ createdAt: YEAR_2100 })
    await site.app.tokenOf(user, { maxBytes: BIG, expiresAt: YEAR_2100 + BIG })
    const [token] = await storage.tokens.list(user.id, YEAR_2100)
    expect(token).toMatchObject({ bytesLeft: BIG, expiresAt: YEAR_2100 + BIG })
    expect(await storage.users.get(user.id)).toMatchObject({ createdAt: YEAR_2100 })
  })

  test('REL-22: counts of statistics and limits beyond 2^32 add up', async () => {
    const { stats, limits } = site.app.storage
    for (let n = 0; n < 2; n++) await stats.add([{ day: DAY, name: 'created', count: BIG }])
    expect(await stats.listSince(DAY)).toEqual([{ day: DAY, name: 'created', count: 2 * BIG }])
    const request = { name: 'a'.repeat(64), limit: 3 * BIG, windowMs: 60_000, points: 2 * BIG }
    expect((await limits.consume([request], YEAR_2100))[0]).toMatchObject({ granted: true, used: 2 * BIG })
  })

  test('REL-22: an upload of more than 4 GiB is reserved with its size', async () => {
    await site.restart({ settings: { maxFileBytes: 2 ** 33, visitorBytesPerDay: 2 ** 34 } })
    const size = 2 ** 32 + 12_345
    const { body } = await site.call('POST', '/files', {}, { size, parts: countParts(size) })
    expect(body).toMatchObject({ id: expect.any(String) })
    expect(await site.app.storage.attachments.find(body.id, site.app.clock.now)).toMatchObject({ size })
  })
})
