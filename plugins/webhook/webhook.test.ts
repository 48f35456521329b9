/** Requests of webhooks: their signature, and invalid, slow and internal targets. */
import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import os, { type NetworkInterfaceInfo } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import type { DurableEvent, OperatorChannel } from '#core'
import { noLog } from '#core/runtime'
import webhook from './index.js'
import { postEvent } from './post-event.js'
import { signatureHeaders } from './sign-event.js'
import { AddressError, createTargetLookup, isTargetAddress } from './target-address.js'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const EVENT: DurableEvent = {
  id: 'evt_1',
  type: 'secret.expired',
  at: Date.UTC(2026, 0, 1),
  data: { secretId: 'ä☃', ownerId: null, notify: false, createdAt: 0, views: 0 },
}
const never = new AbortController().signal

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=ö`
}

const post = (url: string, differing: object = {}) =>
  postEvent({ url, secrets: [SECRET], allow: ['127.0.0.1'], ...differing }, EVENT, never)

test('signature follows the Standard Webhooks specification', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' }
  expect(signatureHeaders([SECRET], message)).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('an event is posted as JSON with a signature for each secret', async () => {
  const received: { request: IncomingMessage; body: string }[] = []
  const url = await listen(async (request, response) => {
    const chunks = await request.toArray()
    received.push({ request, body: Buffer.concat(chunks).toString() })
    response.writeHead(204).end()
  })
  expect(await post(url, { secrets: [OTHER, SECRET] })).toEqual({ isDelivered: true, result: 'HTTP 204' })
  const [{ request, body } = expect.fail('no request')] = received
  expect([request.method, request.url]).toEqual(['POST', '/hook?a=%C3%B6'])
  expect(JSON.parse(body)).toEqual({
    type: 'secret.expired',
    timestamp: '2026-01-01T00:00:00.000Z',
    data: EVENT.data,
  })
  const timestamp = Number(request.headers['webhook-timestamp'])
  expect(Math.abs(Date.now() / 1000 - timestamp)).toBeLessThan(60)
  expect(request.headers).toMatchObject(signatureHeaders([OTHER, SECRET], { id: 'evt_1', timestamp, body }))
  expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(2)
})

test('an error status and a redirect count as failed, and a redirect is not followed', async () => {
  const paths: (string | undefined)[] = []
  const url = await listen(({ url: path }, response) => {
    paths.push(path)
    response.writeHead(path === '/500' ? 500 : 307, { location: '/other' }).end()
  })
  expect(await post(url)).toEqual({ isDelivered: false, result: 'HTTP 307' })
  expect(await post(new URL('/500', url).href)).toEqual({ isDelivered: false, result: 'HTTP 500' })
  expect(paths).toEqual(['/hook?a=%C3%B6', '/500'])
})

test('a target that does not respond in time, or does not exist, counts as failed', async () => {
  const silent = await listen(() => {})
  expect(await post(silent, { timeoutMs: 50 })).toEqual({ isDelivered: false, result: 'timeout' })
  const slow = await listen((_, response) => void response.writeHead(200).write('x'))
  expect(await post(slow, { timeoutMs: 50 })).toEqual({ isDelivered: false, result: 'timeout' })
  expect(await post('http://127.0.0.1:9')).toEqual({ isDelivered: false, result: 'ECONNREFUSED' })
})

test('a host name that is never resolved counts as a timeout', async () => {
  const { lookup } = dns
  const replaceLookup = (other: unknown) => {
    Object.assign(dns, { lookup: other })
    syncBuiltinESMExports()
  }
  closing.push(() => replaceLookup(lookup))
  // On a busy machine a real time limit may pass before the lookup begins.
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  closing.push(() => timeout.mockRestore())
  let calls = 0
  replaceLookup(() => {
    calls++
    setImmediate(() => limit.abort())
  })
  expect(await post('http://silent.example', { timeoutMs: 50 })).toEqual({ isDelivered: false, result: 'timeout' })
  expect(calls).toBe(1)
  expect(timeout).toHaveBeenCalledWith(50)
})

test('at most 1 MiB of an endless response is read', async () => {
  let sent = 0
  const url = await listen((_, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
    }
    response.on('drain', write).writeHead(200)
    write()
  })
  expect(await post(url)).toEqual({ isDelivered: true, result: 'HTTP 200' })
  // Bytes in the buffers of the system are sent, but not read.
  expect(sent).toBeLessThan(16 * 2 ** 20)
})

test('aborting a delivery ends its request', async () => {
  const silent = await listen(() => {})
  const stopped = new AbortController()
  const running = postEvent({ url: silent, secrets: [SECRET], allow: ['127.0.0.1'] }, EVENT, stopped.signal)
  stopped.abort()
  expect(await running).toEqual({ isDelivered: false, result: 'ABORT_ERR' })
})

test('the addresses of this host are refused, also public ones, unless they are allowed', () => {
  const own = ['198.41.0.4', '2001:503:ba3e::2:30']
  const interfaces = vi.spyOn(os, 'networkInterfaces')
  const setOwn = (addresses: string[]) => {
    interfaces.mockReturnValue({ eth0: addresses.map((address) => ({ address }) as NetworkInterfaceInfo) })
    syncBuiltinESMExports()
  }
  closing.push(() => {
    interfaces.mockRestore()
    syncBuiltinESMExports()
  })
  setOwn([])
  expect(own.map((address) => isTargetAddress(address, []))).toEqual([true, true])
  setOwn(own)
  expect(own.map((address) => isTargetAddress(address, []))).toEqual([false, false])
  expect(own.map((address) => isTargetAddress(address, own))).toEqual([true, true])
  expect(isTargetAddress('127.0.0.1', ['127.0.0.1'])).toBe(true)
})

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '240.0.0.1',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
  'fec0::1',
  '::7f00:1',
  '4000::1',
  '100::1',
  'x',
  '',
  // Services of cloud providers: Azure, Alibaba, Oracle, Google.
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd20:ce::254',
  // NAT64, 6to4, SIIT and addresses with a zone.
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a00:1',
  '2002:a9fe:a9fe::1',
  '::ffff:0:10.0.0.1',
  'fe80::1%eth0',
  // ISATAP, with a private and with a public address.
  '2606:4700::5efe:a00:1',
  '2606:4700::200:5efe:808:808',
])('the address %s is refused', (address) => {
  expect(isTargetAddress(address, [])).toBe(false)
})

test('public addresses may receive events, and private ones in the allow-list', () => {
  for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::1'])
    expect(isTargetAddress(address, []), address).toBe(true)
  expect(isTargetAddress('10.1.2.3', ['10.1.0.0/16', 'fd00::/8'])).toBe(true)
  expect(isTargetAddress('10.2.2.3', ['10.1.0.0/16', 'fd00::/8'])).toBe(false)
  expect(isTargetAddress('fd00::5', ['10.1.0.0/16', 'fd00::/8'])).toBe(true)
})

test.each(['http://127.0.0.1:9', 'http://[::1]:9', 'http://2130706433:9', 'http://0x7f.1:9', 'http://localhost:9'])(
  '%s is refused without a connection',
  async (url) => {
    expect(await post(url, { allow: [] })).toEqual({ isDelivered: false, result: 'address refused' })
  },
)

test('SEC-46: a host is refused if one of its addresses is private, and resolved once', async () => {
  const resolveAs = (...responses: string[]) => {
    let calls = 0
    const lookup = createTargetLookup([], (_host, _options, done) => {
      calls++
      done(
        null,
        responses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    })
    return new Promise((resolve) =>
      lookup('host.example', { all: true }, (error, addresses) => resolve({ error, addresses, calls })),
    )
  }
  expect(await resolveAs('1.1.1.1', '10.0.0.1')).toMatchObject({ error: expect.any(AddressError) })
  expect(await resolveAs()).toMatchObject({ error: expect.any(AddressError) })
  expect(await resolveAs('1.1.1.1', '2606:4700::1111')).toMatchObject({
    error: null,
    addresses: [{ address: '1.1.1.1' }, { address: '2606:4700::1111' }],
    calls: 1,
  })
})

const setUp = async (given: object) =>
  webhook.setup(webhook.options.parse(given), { log: noLog, dataDir: '/', publicUrl: '', clock: Date })

test('options make one channel for each target', async () => {
  const targets = JSON.stringify([{ name: 'chat', url: 'https://chat.example/ü', secrets: [OTHER], events: [] }])
  const { channels = [] } = await setUp({
    url: 'https://a.example',
    secrets: SECRET,
    events: 'secret.viewed',
    targets,
  })
  expect((channels as OperatorChannel[]).map(({ name, types }) => [name, types])).toEqual([
    ['webhook.default', ['secret.viewed', 'ping']],
    ['webhook.chat', undefined],
  ])
  expect((await setUp({})).channels).toEqual([])
  await expect(setUp({ url: 'https://a.example' })).rejects.toThrow('"default" has no secrets')
  const twice = [{ name: 'chat', url: 'https://a.example', secrets: [OTHER] }]
  await expect(setUp({ targets: [...twice, ...twice] })).rejects.toThrow('the same name')
})

test.each([
  [{ url: 'ftp://a.example' }, 'url'],
  [{ url: 'https://user:pässwort@a.example' }, 'url'],
  [{ secrets: 'whsec_short' }, 'secrets'],
  [{ events: 'secret.read' }, 'events'],
  [{ allow: 'localhost' }, 'allow'],
  [{ targets: '[{"name":"Chat"}]' }, 'targets'],
  [{ targets: 'no JSON' }, 'targets'],
])('invalid options %j name the option', (given, option) => {
  const { error } = webhook.options.safeParse(given)
  expect(error?.issues.map(({ path }) => path[0])).toContain(option)
  expect(error?.message).not.toMatch(/pässwort|whsec_short/)
})
