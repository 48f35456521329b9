/** allowedIp and rate limits use the address of the connection or the address that a trusted proxy reports. */
import { expect, test } from 'vitest'
import { onMemory } from '#test/for-each-storage'
import { newClaim } from '../shared/crypto/keys.js'

const HERE = '203.0.113.66'
/** Headers that claim to come from there. */
const CLAIMS = [
  'X-Forwarded-For',
  'x-forwarded-for',
  'X_Forwarded_For',
  'X-Real-IP',
  'CF-Connecting-IP',
  'True-Client-IP',
  'X-Client-IP',
  'X-Forwarded',
  'Forwarded-For',
  'X-Original-Forwarded-For',
]

onMemory((site) => {
  const start = (trustedProxies: string[]) => site.restart({ settings: { trustedProxies, limits: '' } })
  const bound = async () => {
    const wish = { text: 'x', ttl: 60, allowedIp: HERE, maxViews: 99 }
    return (await site.call('POST', '/secret', {}, wish).expect(201)).body.id as string
  }
  /** A header with several values is sent in as many lines. */
  const view = (id: string, headers: Record<string, string | string[]>) =>
    site.call('POST', `/secret/${id}`, headers as Record<string, string>, { claim: newClaim() })
  const health = (headers = {}) => site.call('GET', '/healthz', headers).expect(204)

  test('SEC-21: headers of an untrusted peer do not satisfy allowedIp', async () => {
    await start(['10.0.0.0/8'])
    const id = await bound()
    for (const name of CLAIMS) await view(id, { [name]: HERE }).expect(404)
    await view(id, { Forwarded: `for=${HERE}` }).expect(404)
  })

  test('SEC-21: behind a trusted proxy the rightmost X-Forwarded-For entry that is not a proxy counts', async () => {
    await start(['127.0.0.1', '10.0.0.0/8'])
    const id = await bound()
    const forwarded = (value: string | string[]) => view(id, { 'X-Forwarded-For': value })
    for (const value of [HERE, `198.51.100.1, ${HERE}`, `${HERE}, 10.0.0.2`, `::ffff:${HERE}`, `${HERE}:1234`]) {
      await forwarded(value).expect(200)
    }
    for (const value of [
      `${HERE}, 198.51.100.1`,
      `${HERE}, garbage`,
      `garbage, ${HERE}, x`,
      `"${HERE}"`,
      'unknown',
      `,`,
    ]) {
      await forwarded(value).expect(404)
    }
    // Several lines are one list, in their order.
    await forwarded(['198.51.100.1', `${HERE}, 10.0.0.2`]).expect(200)
    await forwarded([HERE, '198.51.100.1']).expect(404)
    await forwarded([HERE, ...Array.from({ length: 32 }, () => '10.0.0.2')]).expect(404)
    for (const name of CLAIMS.slice(2)) await view(id, { [name]: HERE }).expect(404)
  })

  test('tickets of a secret with allowedIp obey it, also after the last view', async () => {
    await start(['127.0.0.1', '::1'])
    const content = Buffer.from('für dich ☃')
    const files = [{ name: 'a.txt', content: content.toString('base64') }]
    const made = await site.call('POST', '/secret', {}, { text: 'x', ttl: 600, allowedIp: '203.0.113.0/24', files })
    const { id } = made.body
    const viewed = (await view(id, { 'X-Forwarded-For': HERE }).expect(200)).body
    const { key } = viewed.files[0]
    const download = (address: string, ticket = key) =>
      site.call('POST', '/download', { 'X-Forwarded-For': address }, { key: ticket, secretId: id })
    expect((await download(HERE).expect(200)).body).toEqual(content)
    expect((await download('203.0.113.9').expect(200)).body).toEqual(content)
    for (const address of ['198.51.100.1', '2001:db8::1', 'garbage']) await download(address).expect(404)
    // A reader cannot change the rule in the ticket.
    const open = Buffer.from(key, 'base64url').fill(0, 15)
    await download('198.51.100.1', open.toString('base64url')).expect(404)
  })

  test('SEC-21: X-Forwarded-For of an untrusted peer does not evade a rate limit', async () => {
    await start([])
    const list = (n: number) => site.call('GET', '/secret/public', { 'X-Forwarded-For': `198.51.100.${n}` })
    for (let n = 0; n < 60; n++) await list(n).expect(200)
    await list(60).expect(429)
  })

  test('X-Forwarded-For of an untrusted peer is logged once, without the address', async () => {
    await start([])
    for (let n = 0; n < 3; n++) await health({ 'X-Forwarded-For': HERE })
    const told = site.app.logged.filter((line) => line.includes('trustedProxies'))
    expect(told).toHaveLength(1)
    expect(told[0]).not.toContain(HERE)
  })

  test('X-Forwarded-For of a trusted proxy is not logged', async () => {
    await start(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    await health({ 'X-Forwarded-For': HERE })
    await health()
    expect(site.app.logged.filter((line) => line.includes('rox'))).toEqual([])
  })

  test('a trusted proxy that sends no X-Forwarded-For makes the address unknown, which is logged once', async () => {
    await start(['127.0.0.0/8', '::1'])
    const wish = { text: 'für uns ☃', ttl: 60, allowedIp: '127.0.0.0/8', maxViews: 99 }
    const { id } = (await site.call('POST', '/secret', {}, wish).expect(201)).body
    await view(id, {}).expect(404)
    await view(id, { 'X-Forwarded-For': '127.0.0.9' }).expect(200)
    expect((await site.call('GET', '/settings').expect(200)).body.address).toBe(null)
    expect(site.app.logged.filter((line) => line.includes('no X-Forwarded-For'))).toHaveLength(1)
  })
})
