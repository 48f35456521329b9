/** Lowering the limits of a secret that was not opened yet. */
import { expect, test } from 'vitest'
import { onOneStorage } from '#test/for-each-storage'

const TEXT = 'pässwörd ☃'
const DAY = 86_400

onOneStorage((site) => {
  const create = async (headers = {}, body = {}) => {
    const draft = { text: TEXT, ttl: DAY, maxViews: 5, ...body }
    const { id, burnToken } = (await site.call('POST', '/secret', headers, draft).expect(201)).body
    return { id: id as string, burnToken: burnToken as string }
  }
  const lower = (id: string, body: object, headers = {}) => site.call('PUT', `/secret/${id}/limits`, headers, body)
  const exist = async (id: string) => (await site.call('GET', `/secret/${id}/exist`)).body

  test('the burn token lowers views, expiry and allowed addresses', async () => {
    const { id, burnToken } = await create()
    const { now } = site.app.clock
    const lowered = { id, maxViews: 2, expiresAt: now + 600_000, allowedIp: '127.0.0.0/8' }
    const limits = { maxViews: 2, ttl: 600, allowedIp: '127.0.0.0/8' }
    expect((await lower(id, { burnToken, ...limits }).expect(200)).body).toEqual(lowered)
    expect(await exist(id)).toMatchObject({ maxViews: 2, expiresAt: lowered.expiresAt })
    expect((await lower(id, { burnToken, allowedIp: '10.0.0.1' }).expect(400)).body).toMatchObject({
      field: 'allowedIp',
    })
    expect((await lower(id, { burnToken, allowedIp: '127.0.0.1' }).expect(200)).body.allowedIp).toBe('127.0.0.1')
  })

  test('no limit can be raised, and the field is named', async () => {
    const { id, burnToken } = await create({}, { allowedIp: '127.0.0.0/8' })
    for (const [field, limits] of Object.entries({
      maxViews: { maxViews: 6 },
      ttl: { ttl: DAY + 1 },
      allowedIp: { allowedIp: '126.0.0.0/7' },
    })) {
      const { body } = await lower(id, { burnToken, ...limits }).expect(400)
      expect(body).toMatchObject({ code: 'request.invalid', field })
    }
    for (const invalid of [{}, { maxViews: 0 }, { ttl: 59 }, { allowedIp: 'x' }, { maxViews: 1, text: 'x' }]) {
      await lower(id, { burnToken, ...invalid }).expect(400)
    }
    expect(await exist(id)).toMatchObject({ maxViews: 5 })
  })

  test('unlimited views stay unlimited, and a public secret cannot be limited to addresses', async () => {
    const kept = await create({}, { preventBurn: true, maxViews: undefined })
    expect((await lower(kept.id, { burnToken: kept.burnToken, maxViews: 1 }).expect(400)).body.field).toBe('maxViews')
    const open = await create({}, { isPublic: true })
    expect((await lower(open.id, { burnToken: open.burnToken, allowedIp: '::1' }).expect(400)).body.field).toBe(
      'allowedIp',
    )
    await lower(open.id, { burnToken: open.burnToken, maxViews: 1 }).expect(200)
  })

  test('only the creator and the holder of the burn token may lower limits', async () => {
    const [owner, other] = [await site.app.signUp(), await site.app.signUp()]
    const boss = await site.app.signUp({ role: 'admin' })
    const { id } = await create(await site.app.as(owner))
    const lookup = id.split('~')[0] as string
    const scopes = ['secrets:read' as const]
    const limited = { Authorization: `Bearer ${await site.app.tokenOf(owner, { scopes })}` }
    for (const headers of [{}, await site.app.as(other), await site.app.as(boss), limited]) {
      // Also with the link: readers may open or burn a secret, but not change it.
      for (const ref of [lookup, id]) {
        expect((await lower(ref, { maxViews: 1 }, headers).expect(404)).body.code).toBe('secret.not_found')
      }
    }
    await lower(id, { maxViews: 1, burnToken: 'A'.repeat(43) }).expect(404)
    await lower(lookup, { maxViews: 3 }, await site.app.as(owner)).expect(200)
    const [listed] = (await site.call('GET', '/secret', await site.app.as(owner))).body
    expect(listed).toMatchObject({ id: lookup, maxViews: 3, views: 0, allowedIp: null })
  })

  test('an opened secret keeps its limits', async () => {
    const { id, burnToken } = await create()
    await site.call('GET', `/secret/${id}`).expect(200)
    expect((await lower(id, { burnToken, maxViews: 1 }).expect(409)).body.code).toBe('secret.changed')
    expect(await exist(id)).toMatchObject({ maxViews: 4 })
    expect((await lower(id, { burnToken, maxViews: 9 }).expect(409)).body.code).toBe('secret.changed')
  })
})
