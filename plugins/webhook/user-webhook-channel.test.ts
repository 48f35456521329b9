/** Webhooks of users: reachable addresses and options. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import type { DurableEvent, WebhookChannel } from '#core'
import { openPlugin } from '#core/testing'
import webhook from './index.js'
import { createUserWebhookChannel } from './user-webhook-channel.js'

const SECRETS = [3, 7].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`)
const EVENT: DurableEvent = {
  id: 'evt_1',
  type: 'secret.expired',
  at: Date.UTC(2026, 0, 1),
  data: { secretId: 'ä☃', ownerId: 'ü', notify: false, createdAt: 0, views: 0 },
}
const never = new AbortController().signal

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Port of a receiver on the loopback interface. */
async function listen(handler: RequestListener): Promise<number> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

const logged: object[] = []
const open = (allow: string[] = []) =>
  createUserWebhookChannel({ max: 5, allow, log: { info: (msg, fields) => void logged.push({ msg, ...fields }) } })
const send = ({ deliver }: WebhookChannel, url: string) => deliver({ event: EVENT, url, secrets: SECRETS }, never)

test.each([
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://10.1.2.3/',
  'https://192.168.0.1:8443/',
  'https://169.254.169.254/latest/meta-data',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://[::ffff:10.0.0.1]/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0.0.0.0/',
])('SEC-46: %s is refused when it is added, and when an event is sent', async (url) => {
  expect(open().isUrlAllowed(url)).toBe(false)
  expect(await send(open(), url)).toEqual({ isDelivered: false, result: 'unreachable' })
})

test('SEC-46: a host that resolves to a private address is refused, and gets no request', async () => {
  let requests = 0
  const port = await listen((_, response) => {
    requests++
    response.end()
  })
  const url = `http://localhost:${port}/`
  expect(open().isUrlAllowed(url)).toBe(true)
  expect(await send(open(), url)).toEqual({ isDelivered: false, result: 'unreachable' })
  expect(requests).toBe(0)
  expect(await send(open(['127.0.0.1', '::1']), url)).toEqual({ isDelivered: true, result: 'HTTP 200' })
})

test('SEC-46: a refused address, an unknown host, a closed port and a broken response have one result, and the log has the reason', async () => {
  const broken = await listen((request) => void request.socket.destroy())
  const unused = await listen(() => {})
  closing.splice(-1).forEach((close) => void close())
  logged.splice(0)
  const urls = [
    'https://10.1.2.3/',
    'https://no-such-host.invalid/path?token=☃',
    ...[broken, unused].map((port) => `http://127.0.0.1:${port}/`),
  ]
  const allowing = open(['127.0.0.1'])
  for (const url of urls) expect(await send(allowing, url)).toEqual({ isDelivered: false, result: 'unreachable' })
  expect(logged).toHaveLength(urls.length)
  expect(logged[0]).toEqual({ msg: 'webhook of a user unreachable', host: '10.1.2.3', reason: 'address refused' })
  expect(new Set(logged.map((line) => 'reason' in line && line.reason)).size).toBe(4)
  expect(JSON.stringify(logged)).not.toMatch(/path|token/)
})

test('SEC-46: a redirect is not followed', async () => {
  let redirected = 0
  const target = await listen((_, response) => {
    redirected++
    response.end()
  })
  const port = await listen((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${target}/` }).end()
  })
  expect(await send(open(['127.0.0.1']), `http://127.0.0.1:${port}/`)).toEqual({
    isDelivered: false,
    result: 'HTTP 307',
  })
  expect(redirected).toBe(0)
})

test('each secret signs, as a receiver with the standardwebhooks package verifies', async () => {
  const verified: unknown[] = []
  const port = await listen(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    for (const secret of SECRETS)
      verified.push(new Webhook(secret).verify(body, request.headers as Record<string, string>))
    response.writeHead(204).end()
  })
  expect(await send(open(['127.0.0.1']), `http://127.0.0.1:${port}/`)).toMatchObject({ isDelivered: true })
  const { type, data } = EVENT
  expect(verified).toEqual(SECRETS.map(() => ({ type, timestamp: '2026-01-01T00:00:00.000Z', data })))
})

test('users can add webhooks only if an option allows it, and the allow-list of the operator does not apply to them', async () => {
  const openWith = async (options: Record<string, unknown>) => {
    const { channels = [], close } = await openPlugin(webhook, { options })
    closing.push(() => void close())
    return channels.find((each) => each.to === 'user' && each.address === 'webhook') as WebhookChannel | undefined
  }
  expect(await openWith({})).toBeUndefined()
  const allow = ['10.0.0.0/8']
  const opened = await openWith({ userTargets: 'true', userTargetsMax: '3', allow })
  expect(opened?.maxPerUser).toBe(3)
  expect(opened?.isUrlAllowed('https://10.1.2.3/')).toBe(false)
  const allowing = await openWith({ userTargets: true, userTargetsAllow: allow })
  expect(allowing?.maxPerUser).toBe(5)
  expect(allowing?.isUrlAllowed('https://10.1.2.3/')).toBe(true)
})
