/** Ended secrets of users, over HTTP: the list and the export. */
import { expect, test } from 'vitest'
import { onOneStorage } from '#test/for-each-storage'
import { newId } from '../lib/random-token.js'

const TEXT = 'pässwörd ☃'
const DAY = 86_400
const PATH = '/secret/ended'
const HEADER = 'id,state,ended_at,created_at,kind,views,views_limit,has_password,files'

onOneStorage((site) => {
  const create = async (headers: Record<string, string>, body = {}) =>
    (await site.call('POST', '/secret', headers, { text: TEXT, ttl: DAY, ...body }).expect(201)).body as {
      id: string
      burnToken: string
    }
  const lookupOf = ({ id }: { id: string }) => id.split('~')[0] as string
  const view = ({ id }: { id: string }, body = {}) => {
    const claim = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url')
    return site.call('POST', `/secret/${id}`, {}, { claim, ...body }).expect(200)
  }
  const burn = ({ id }: { id: string }, headers: Record<string, string>) =>
    site.call('POST', `/secret/${lookupOf({ id })}/burn`, headers, {}).expect(200)
  const list = async (headers: Record<string, string>, query = '') =>
    (await site.call('GET', `${PATH}${query}`, headers).expect(200)).body
  const setRetention = (days: string) =>
    site.app.settings.update({ receipt_retention_days: days as '30' }, { username: 'admin', address: null })

  test('SEC-45: the list says how and when each secret ended, and the list of live secrets stays as it is', async () => {
    const headers = await site.app.as(await site.app.signUp())
    const start = site.app.clock.now
    const viewed = await create(headers, { maxViews: 2, password: 'gehëim' })
    const burned = await create(headers, { isPublic: true, title: 'Tïtle' })
    const expired = await create(headers, { ttl: 60 })
    const live = await create(headers)
    expect(await list(headers)).toEqual([])
    for (let time = 0; time < 2; time++) await view(viewed, { password: 'gehëim' })
    site.app.clock.now += 1000
    await burn(burned, headers)
    site.app.clock.now = start + 60_000
    const ended = [
      { id: lookupOf(expired), kind: 'raw', state: 'expired', endedAt: start + 60_000, views: 0, maxViews: 1 },
      { id: burned.id, kind: 'public', state: 'burned', endedAt: start + 1000, views: 0 },
      { id: lookupOf(viewed), kind: 'raw', state: 'used-up', endedAt: start, views: 2, maxViews: 2 },
    ]
    const found = await list(headers)
    expect(found).toMatchObject(ended)
    expect(found.map(({ passwordRequired }: { passwordRequired: boolean }) => passwordRequired)).toEqual([
      false,
      false,
      true,
    ])
    await site.app.background.cleanup.run()
    expect(await list(headers)).toEqual(found)
    const own = (await site.call('GET', '/secret', headers).expect(200)).body
    expect(own.map(({ id }: { id: string }) => id)).toEqual([lookupOf(live)])
    expect(JSON.stringify(found)).not.toContain('Tïtle')
  })

  test('state and until filter, and the pages do not move', async () => {
    const headers = await site.app.as(await site.app.signUp())
    const start = site.app.clock.now
    for (let second = 1; second <= 3; second++) {
      site.app.clock.now = start + second * 1000
      await burn(await create(headers), headers)
    }
    await view(await create(headers))
    const states = async (query: string) =>
      (await list(headers, query)).map(({ state }: { state: string }) => state) as string[]
    expect(await states('?state=burned')).toEqual(['burned', 'burned', 'burned'])
    expect(await states('?state=used-up')).toEqual(['used-up'])
    expect(await states('?state=expired')).toEqual([])
    expect(await states('?skip=1&take=2')).toHaveLength(2)
    const times = (await list(headers, `?until=${start + 2000}`)).map(({ endedAt }: { endedAt: number }) => endedAt)
    expect(times).toEqual([start + 2000, start + 1000])
    for (const [query, field] of [
      ['?state=live', 'state'],
      ['?until=x', 'until'],
      ['?format=csv', 'format'],
    ])
      expect((await site.call('GET', `${PATH}${query}`, headers).expect(400)).body).toMatchObject({ field })
  })

  test('SEC-45: the list is for the owner only: not for a visitor, another user, or a token without the scope', async () => {
    const [owner, other] = [await site.app.signUp(), await site.app.signUp()]
    const headers = await site.app.as(owner)
    await view(await create(headers))
    await view(await create({}))
    expect(await list(headers)).toHaveLength(1)
    expect(await list(await site.app.as(other))).toEqual([])
    const bearer = async (scope: 'secrets:read' | 'secrets:create') => ({
      Authorization: `Bearer ${await site.app.tokenOf(owner, { scopes: [scope] })}`,
    })
    expect(await list(await bearer('secrets:read'))).toHaveLength(1)
    for (const path of [PATH, `${PATH}/export`]) {
      await site.call('GET', path).expect(401)
      await site.call('GET', path, await bearer('secrets:create')).expect(403)
    }
  })

  test('SEC-45: entries end after the retention, at once when it is shortened, and 0 records none', async () => {
    const owner = await site.app.signUp()
    await view(await create(await site.app.as(owner)))
    site.app.clock.now += 7 * DAY * 1000
    const user = await site.app.signUp()
    const again = await site.app.as(user)
    await burn(await create(again), again)
    expect(await list(await site.app.as(owner))).toHaveLength(1)
    await setRetention('7')
    expect(await list(await site.app.as(owner))).toEqual([])
    await site.app.background.cleanup.run()
    expect(await list(again)).toHaveLength(1)
    await setRetention('90')
    expect(await list(await site.app.as(owner))).toEqual([])
    await setRetention('0')
    expect(await list(again)).toEqual([])
    await site.app.background.cleanup.run()
    await view(await create(again))
    await burn(await create(again), again)
    await create(again, { ttl: 60 })
    site.app.clock.now += 60_000
    expect(await list(again)).toEqual([])
    await site.app.background.cleanup.run()
    await setRetention('90')
    expect(await list(await site.app.as(user))).toEqual([])
  })

  test('CSV has a header, CRLF line breaks and ISO times; NDJSON has an object per line', async () => {
    site.app.clock.now = Date.parse('2026-11-22T04:00:00.123Z')
    const headers = await site.app.as(await site.app.signUp())
    const secret = await create(headers, { maxViews: 2, preventBurn: true, password: 'gehëim' })
    const other = await create(headers)
    await burn(secret, headers)
    site.app.clock.now += 1000
    await view(other)
    const csv = await site.call('GET', `${PATH}/export`, headers).expect(200)
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="mayfly-secrets.csv"',
      'cache-control': 'no-store',
    })
    expect(csv.text).toBe(
      [
        HEADER,
        `${lookupOf(other)},used-up,2026-11-22T04:00:01Z,2026-11-22T04:00:00Z,raw,1,1,false,0`,
        `${lookupOf(secret)},burned,2026-11-22T04:00:00Z,2026-11-22T04:00:00Z,raw,0,,true,0`,
        '',
      ].join('\r\n'),
    )
    const ndjson = await site
      .call('GET', `${PATH}/export?format=ndjson&state=burned`, headers)
      .responseType('blob')
      .expect(200)
    expect(ndjson.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="mayfly-secrets.ndjson"',
    })
    const lines = String(ndjson.body).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        id: lookupOf(secret),
        state: 'burned',
        ended_at: '2026-11-22T04:00:00Z',
        created_at: '2026-11-22T04:00:00Z',
        kind: 'raw',
        views: 0,
        views_limit: null,
        has_password: true,
        files: 0,
      },
    ])
    expect((await site.call('GET', `${PATH}/export?format=xml`, headers).expect(400)).body.field).toBe('format')
    await site.call('HEAD', `${PATH}/export`, headers).expect(200)
  })

  test('REL-24: an export without entries has the header only, and one of many has each once', async () => {
    const user = await site.app.signUp()
    const headers = await site.app.as(user)
    expect((await site.call('GET', `${PATH}/export`, headers).expect(200)).text).toBe(`${HEADER}\r\n`)
    const { secrets } = site.app.storage
    const made = await Promise.all(Array.from({ length: 1300 }, (_, index) => storeExpiring(user.id, index)))
    site.app.clock.now += 60_000
    await secrets.deleteExpired({ now: site.app.clock.now, limit: 700, recordsEnd: true })
    const { text } = await site.call('GET', `${PATH}/export`, headers).expect(200)
    const ids = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0])
    expect(ids).toHaveLength(1300)
    expect(new Set(ids)).toEqual(new Set(made))
  })

  /** Stores a secret that expires within a minute. Returns its id. */
  async function storeExpiring(ownerId: string, index: number): Promise<string> {
    const { now } = site.app.clock
    const id = newId()
    const hash = id.padEnd(64, '0')
    await site.app.storage.secrets.create({
      secret: {
        id,
        kind: 'sealed',
        text: TEXT,
        title: null,
        accessHash: hash,
        passwordHash: null,
        burnHash: hash,
        ownerId,
        allowedIp: null,
        maxViews: 1,
        views: 0,
        preventBurn: false,
        notify: false,
        createdAt: now,
        expiresAt: now + 1 + (index % 50),
        files: 0,
        failures: 0,
        lockedUntil: 0,
      },
      now,
    })
    return id
  }
})
