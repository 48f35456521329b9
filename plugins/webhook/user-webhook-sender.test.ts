/** Webhooks of users: which addresses they reach, and what the options turn on. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import type { DurableEvent, WebhookSender } from '#core'
import { openPlugin } from '#core/testing'
import webhook from './index.js'
import { createUserWebhookSender } from './user-webhook-sender.js'

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

const open = (allow: string[] = []) => createUserWebhookSender({ max: 5, allow })
const send = (sender: WebhookSender, url: string) => sender.send({ url, secrets: SECRETS }, EVENT, never)

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
])('%s is refused when it is added, and when an event is sent', async (url) => {
  expect(open().isUrlAllowed(url)).toBe(false)
  expect(await send(open(), url)).toEqual({ isDelivered: false, result: 'address refused' })
})

test('a host that resolves to a private address is refused, and gets no request', async () => {
  let requests = 0
  const port = await listen((_, response) => {
    requests++
    response.end()
  })
  const url = `http://localhost:${port}/`
  expect(open().isUrlAllowed(url)).toBe(true)
  expect(await send(open(), url)).toEqual({ isDelivered: false, result: 'address refused' })
  expect(requests).toBe(0)
  expect(await send(open(['127.0.0.1', '::1']), url)).toEqual({ isDelivered: true, result: 'HTTP 200' })
})

test('a redirect is not followed', async () => {
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

test('users can add webhooks only if an option says so, and the allow-list of the operator is not theirs', async () => {
  const openWith = async (options: Record<string, unknown>) => {
    const { userWebhooks, close } = await openPlugin(webhook, { options })
    closing.push(() => void close())
    return userWebhooks
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
