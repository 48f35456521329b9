/** Receipts over HTTP. */
import { expect, test } from 'vitest'
import { onOneStorage } from '#test/for-each-storage'
import { parseReceiptLink } from '../shared/parse-links.js'

const TEXT = 'pässwörd ☃'
const DAY = 86_400
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const UNKNOWN = 'A'.repeat(43)

onOneStorage((site) => {
  const create = async (body = {}, headers = {}) => {
    const draft = { text: TEXT, ttl: DAY, receipt: true, ...body }
    const created = (await site.call('POST', '/secret', headers, draft).expect(201)).body
    const { token } = parseReceiptLink(created.receipt)
    return { id: created.id as string, burnToken: created.burnToken as string, token }
  }
  const read = (token: string) => site.call('GET', '/receipt', { 'Mayfly-Access': token })
  const stateOf = async (token: string) => (await read(token).expect(200)).body
  const view = (id: string, body = {}) => {
    const claim = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url')
    return site.call('POST', `/secret/${id}`, { 'User-Agent': FIREFOX }, { claim, ...body })
  }
  const setSettings = (changes: object) => site.app.settings.update(changes, { username: 'admin', address: null })

  test('SEC-44: create returns a receipt link only if requested, and the link does not open the secret', async () => {
    const plain = (await site.call('POST', '/secret', {}, { text: TEXT, ttl: DAY }).expect(201)).body
    expect(plain).not.toHaveProperty('receipt')
    const { id, token } = await create({ maxViews: 2 })
    const receipt = await stateOf(token)
    expect(receipt).toMatchObject({ state: 'waiting', views: 0, maxViews: 2, viewList: [], endedAt: null })
    expect(JSON.stringify(receipt)).not.toContain(id.split('~')[0])
    const [lookup] = id.split('~')
    await site.call('GET', `/secret/${lookup}/exist`, { 'Mayfly-Access': token }).expect(404)
    await site.call('POST', `/secret/${lookup}/burn`, {}, { burnToken: token }).expect(404)
  })

  test('the receipt shows each view, and then the end of the secret', async () => {
    const { id, token } = await create({ maxViews: 2 })
    const first = site.app.clock.now
    await view(id).expect(200)
    expect(await stateOf(token)).toMatchObject({ state: 'opened', views: 1, maxViews: 2, keptUntil: null })
    site.app.clock.now += 1000
    await view(id).expect(200)
    const hidden = { network: null, browser: null }
    expect(await stateOf(token)).toMatchObject({
      state: 'used-up',
      views: 2,
      endedAt: first + 1000,
      keptUntil: first + 1000 + 30 * DAY * 1000,
      viewList: [
        { at: first, ...hidden },
        { at: first + 1000, ...hidden },
      ],
    })
  })

  test('the receipt shows a burn, an expiry, a wrong password and a refused address', async () => {
    const burned = await create()
    await site.call('POST', `/secret/${burned.id}/burn`, {}, { burnToken: burned.burnToken }).expect(200)
    expect(await stateOf(burned.token)).toMatchObject({ state: 'burned', views: 0 })
    const guarded = await create({ password: 'gehëim', allowedIp: '127.0.0.0/8' })
    await view(guarded.id, { password: 'falsch' }).expect(401)
    expect(await stateOf(guarded.token)).toMatchObject({ state: 'waiting', wrongPasswords: 1, refusedAddresses: 0 })
    const elsewhere = await create({ allowedIp: '192.0.2.1' })
    await view(elsewhere.id).expect(404)
    expect(await stateOf(elsewhere.token)).toMatchObject({ refusedAddresses: 1, views: 0 })
    const open = await create({ isPublic: true, password: 'gehëim' })
    await view(open.id, { password: 'falsch' }).expect(401)
    expect(await stateOf(open.token)).toMatchObject({ wrongPasswords: 1 })
    site.app.clock.now += DAY * 1000
    const expired = { state: 'expired', views: 0, endedAt: site.app.clock.now }
    expect(await stateOf(elsewhere.token)).toMatchObject(expired)
    await site.app.background.cleanup.run()
    expect(await stateOf(elsewhere.token)).toMatchObject(expired)
  })

  test('SEC-44: details of the reader are coarse, and only with the setting', async () => {
    await setSettings({ receipt_reader_details: true })
    const { id, token } = await create()
    await view(id).expect(200)
    const [viewed] = (await stateOf(token)).viewList
    expect(viewed).toMatchObject({ network: '127.0.0.0/24', browser: 'Firefox' })
    await setSettings({ receipt_reader_details: false })
    expect((await stateOf(token)).viewList).toMatchObject([{ network: null, browser: null }])
  })

  test('a receipt ends after its retention, at once with a retention of 0', async () => {
    const { id, token } = await create()
    const other = await create()
    await view(id).expect(200)
    site.app.clock.now += 7 * DAY * 1000
    await read(token).expect(200)
    await setSettings({ receipt_retention_days: '7' })
    expect((await read(token).expect(404)).body).toMatchObject({ code: 'receipt.not_found' })
    await setSettings({ receipt_retention_days: '0' })
    await read(other.token).expect(404)
    const waiting = await create()
    expect(await stateOf(waiting.token)).toMatchObject({ state: 'waiting' })
    await view(waiting.id).expect(200)
    await read(waiting.token).expect(404)
  })

  test('SEC-44: an unknown token gets the same 404 as an ended receipt, and the error of a malformed token names the header', async () => {
    const { id, token } = await create()
    await setSettings({ receipt_retention_days: '0' })
    await view(id).expect(200)
    const [ended, unknown] = [await read(token).expect(404), await read(UNKNOWN).expect(404)]
    const comparable = ({ body: { ref: _, requestId: __, ...body } }: typeof ended) => body
    expect(comparable(unknown)).toEqual(comparable(ended))
    for (const headers of [{}, { 'Mayfly-Access': 'x' }])
      expect((await site.call('GET', '/receipt', headers).expect(400)).body.code).toBe('request.invalid')
  })

  test('a retry with the idempotency key returns the same receipt', async () => {
    const headers = { 'Idempotency-Key': 'receipt-1' }
    const [first, second] = [await create({}, headers), await create({}, headers)]
    expect(second).toEqual(first)
  })
})
