/**
 * The budgets of visitors by address, IPv6 /64 and /48 network and for the whole instance: which request is refused
 * first, how, and that others are still served.
 */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onMemory } from '#test/for-each-storage'
import { recordingNotifier } from '#test/recording-notifier'
import { SHARED_FACTORS } from '../attachments/quotas.js'
import { CONNECTIONS } from './connection-limit.js'
import { listen } from './server.js'

const HOUR = 3600
const DAY = 24 * HOUR
/** Bytes that a visitor may send in a day. */
const BYTES = 100
const OTHER = '198.51.100.7'

/** The address of the `n`th request, from 0 on. */
type Addresses = (n: number) => string
const ADDRESS: Addresses = () => '203.0.113.7'
const NETWORK_64: Addresses = (n) => `2001:db8:7:1::${(n + 1).toString(16)}`
const NETWORK_48: Addresses = (n) => `2001:db8:7:${n.toString(16)}::1`
/** Each request from another site. */
const ANYWHERE: Addresses = (n) => `2001:db8:${n.toString(16)}::1`

/** The sent requests, and the response to the first refused request. */
const RESOURCES = {
  bytes: {
    send: { path: '/files', body: () => ({ size: BYTES, parts: 1 }) },
    code: 'file.quota_used_up',
    seconds: DAY,
  },
  'reset mails': {
    send: { path: '/authentication/forgot', body: (n: number) => ({ email: `u${n}@example.org` }) },
    code: 'limit.reached',
    seconds: HOUR,
  },
  'mails to new accounts': {
    send: {
      path: '/authentication/signup',
      body: (n: number) => ({ username: `user-${n}`, email: `u${n}@example.org`, password: 'amber-river-94' }),
    },
    code: 'limit.reached',
    seconds: HOUR,
  },
  // Each for another account.
  'verification mails': {
    send: { path: '/account/verification', body: () => undefined },
    code: 'limit.reached',
    seconds: HOUR,
  },
}

interface Row {
  resource: keyof typeof RESOURCES
  per: string
  from: Addresses
  /** Requests that are served before the first one is refused. */
  served: number
  /** An address that is served afterwards; null for the budget of the instance. */
  other: string | null
}

const row = (resource: Row['resource'], per: string, from: Addresses, served: number, other: Row['other'] = OTHER) => ({
  resource,
  per,
  from,
  served,
  other,
})

const ROWS: Row[] = [
  row('bytes', 'address', ADDRESS, 1, '203.0.113.8'),
  row('bytes', '/64', NETWORK_64, 1, NETWORK_48(2)),
  row('bytes', '/48', NETWORK_48, SHARED_FACTORS.site, '2001:db8:8::1'),
  row('bytes', 'instance', ANYWHERE, SHARED_FACTORS.visitors, null),
  row('reset mails', 'address', ADDRESS, 10, '203.0.113.8'),
  row('reset mails', '/64', NETWORK_64, 10, NETWORK_48(2)),
  row('reset mails', '/48', NETWORK_48, 50, '2001:db8:8::1'),
  row('reset mails', 'instance', ANYWHERE, 300, null),
  row('mails to new accounts', 'address', ADDRESS, 5, '203.0.113.8'),
  row('mails to new accounts', '/64', NETWORK_64, 5, NETWORK_48(2)),
  row('mails to new accounts', '/48', NETWORK_48, 25, '2001:db8:8::1'),
  row('mails to new accounts', 'instance', ANYWHERE, 100, null),
  row('verification mails', 'address', ADDRESS, 10, '203.0.113.8'),
  row('verification mails', '/64', NETWORK_64, 10, NETWORK_48(2)),
  row('verification mails', '/48', NETWORK_48, 50, '2001:db8:8::1'),
  row('verification mails', 'instance', ANYWHERE, 300, null),
]

const { notifier } = recordingNotifier()
const app = {
  plugins: [notifier],
  settings: { limits: '', visitorBytesPerDay: BYTES, maxOpenUploads: 1000, trustedProxies: ['127.0.0.1', '::1'] },
}

onMemory(
  (site) => {
    const sendFrom = async (resource: Row['resource'], n: number, address: string) => {
      const { path, body } = RESOURCES[resource].send
      const account = resource === 'verification mails' ? await site.app.as(await site.app.signUp()) : {}
      const headers = { ...account, 'X-Forwarded-For': address, 'Sec-Fetch-Site': 'same-origin' }
      return await site.call('POST', path, headers, body(n))
    }

    test.each(ROWS)('SEC-37: $resource per $per', async ({ resource, from, served, other }) => {
      const { code, seconds } = RESOURCES[resource]
      for (let n = 0; n < served; n++) {
        const { status, body } = await sendFrom(resource, n, from(n))
        expect(status, `request ${n}: ${body.code}`).toBeLessThan(300)
      }
      const refused = await sendFrom(resource, served, from(served))
      expect(refused.body).toMatchObject({ statusCode: 429, code, retryAfter: seconds })
      expect(refused.headers).toMatchObject({ 'retry-after': `${seconds}` })
      const { status } = await sendFrom(resource, served + 1, other ?? OTHER)
      if (other === null) expect(status).toBe(429)
      else expect(status).toBeLessThan(300)
      site.app.clock.now += seconds * 1000
      expect((await sendFrom(resource, served + 2, from(served))).status).toBeLessThan(300)
    })

    test.each([
      ['address', ADDRESS, '203.0.113.7/24', OTHER],
      ['/64', NETWORK_64, '2001:db8:7::/48', '2001:db8:8::1'],
      ['/48', NETWORK_48, '2001:db8:7::/48', '2001:db8:8::1'],
    ])('V16.4.2: complete audit rows per %s', async (_, from, network, other) => {
      const note = async (address: string, subject: string) =>
        site.app.audit.note({ action: 'session.refused', caller: { username: null, address }, subject })
      for (let n = 0; n < 500; n++) await note(from(n), `user-${n}`)
      await note(other, 'root \u2603')
      await site.app.audit.flush()
      const rows = await site.app.storage.audit.list({ action: 'session.refused' }, { skip: 0, take: 1000 })
      const complete = rows.filter(({ subject, address }) => subject !== null && address === cidrOf(network))
      expect(complete).toHaveLength(20)
      // Complete rows, rows without a network, a row without a subject, and the row of the other network.
      expect(rows).toHaveLength(20 + 40 + 1 + 1)
      expect(rows.filter(({ subject, address }) => subject === 'root \u2603' && address !== null)).toHaveLength(1)
    })

    test('V16.4.2: audit rows of the instance', async () => {
      for (let n = 0; n < 5000; n++) {
        const caller = { username: null, address: ANYWHERE(n) }
        await site.app.audit.note({ action: 'session.refused', caller, subject: `user-${n}` })
      }
      await site.app.audit.note({ action: 'token.refused', caller: { username: null, address: OTHER }, subject: 'ci' })
      await site.app.audit.flush()
      const rows = await site.app.storage.audit.list({}, { skip: 0, take: 1000 })
      expect(rows.filter(({ action }) => action === 'session.refused')).toHaveLength(60 + 40 + 40 + 1)
      expect(rows.filter(({ action }) => action === 'token.refused')).toMatchObject([{ subject: 'ci' }])
    })
  },
  { app },
)

const cidrOf = (network: string) => network.replace('203.0.113.7/24', '203.0.113.0/24')

describe('connections', () => {
  let server: Server
  beforeAll(async () => {
    server = await listen((_, response) => response.end('\u2603'), '127.0.0.1', 0)
  })
  afterAll(() => void server.close())

  /** A connection from any address. */
  function connectFrom(remoteAddress: string) {
    const sent: string[] = []
    const socket = new Duplex({
      read() {},
      write(chunk, _, done) {
        sent.push(String(chunk))
        done()
      },
    })
    server.emit('connection', Object.assign(socket, { remoteAddress }))
    return { socket, sent }
  }

  async function readStatus(address: string): Promise<string> {
    const { socket, sent } = connectFrom(address)
    if (socket.destroyed) return ''
    socket.push('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await once(socket, 'finish')
    socket.destroy()
    return sent.join('').split('\r\n')[0] ?? ''
  }

  test.each([
    ['address', ADDRESS, CONNECTIONS.client, '203.0.113.8'],
    ['/64', NETWORK_64, CONNECTIONS.client, NETWORK_48(2)],
    // Not the network of the row before, whose connections are still closing.
    ['/48', (n) => `2001:db8:9:${n.toString(16)}::1`, CONNECTIONS.site, '2001:db8:8::1'],
  ] as [string, Addresses, number, string][])('SEC-36: connections per %s', async (_, from, served, other) => {
    const opened = Array.from({ length: served }, (_, n) => connectFrom(from(n)).socket)
    expect(opened.filter(({ destroyed }) => destroyed)).toEqual([])
    expect(connectFrom(from(served)).socket.destroyed).toBe(true)
    expect(await readStatus(other)).toBe('HTTP/1.1 200 OK')
    opened[0]?.destroy()
    await expect.poll(() => readStatus(from(0))).toBe('HTTP/1.1 200 OK')
    for (const socket of opened) socket.destroy()
  })

  test('SEC-36: connections of the instance, of which a site takes up to a quarter', () => {
    expect(server.maxConnections).toBe(2048)
    expect(CONNECTIONS.site).toBeLessThanOrEqual(server.maxConnections / 4)
  })
})
