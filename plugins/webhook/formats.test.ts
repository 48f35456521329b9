/** Messages for chat and notification services, as their documentation describes them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { DurableEvent, OperatorChannel } from '#core'
import { openPlugin } from '#core/testing'
import { describeEvent } from './event-text.js'
import webhook from './index.js'

const EVENT: DurableEvent = {
  id: 'evt_1',
  type: 'secret.viewed',
  at: Date.UTC(2026, 0, 1),
  data: {
    secretId: 'x8Yk2mQvT0qk1l5r9cJ7Zg',
    ownerId: null,
    notify: true,
    createdAt: 0,
    views: 2,
    viewsLeft: 1,
    recipient: null,
  },
}
const TEXT = 'Secret x8Yk2mQvT0qk1l5r9cJ7Zg was opened. 1 view left.'

interface Received {
  method: string | undefined
  path: string | undefined
  headers: Record<string, unknown>
  body: string
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Delivers the event with these options of the plugin to a local receiver, and returns the request. */
async function deliver(options: object, path: string): Promise<Received> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    received.push({ method, path: url, headers, body: Buffer.concat(await request.toArray()).toString() })
    response.writeHead(200).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const { channels, close } = await openPlugin(webhook, { options: { url, allow: ['127.0.0.1'], ...options } })
  closing.push(close)
  const channel = channels?.[0] as OperatorChannel
  expect(await channel.deliver(EVENT, new AbortController().signal)).toEqual({ isDelivered: true, result: 'HTTP 200' })
  const [request = expect.fail('no request')] = received
  return request
}

test.each([
  ['slack', '/services/T0/B0/x', { text: TEXT }],
  ['discord', '/api/webhooks/1/x', { content: TEXT, allowed_mentions: { parse: [] } }],
  [
    'teams',
    '/workflows/1/triggers/manual/paths/invoke?sig=x',
    {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', version: '1.4', body: [{ type: 'TextBlock', text: TEXT, wrap: true }] },
        },
      ],
    },
  ],
])('%s gets its JSON without a secret', async (format, path, message) => {
  const { method, body, ...request } = await deliver({ format }, path)
  expect([method, request.path, request.headers['content-type']]).toEqual(['POST', path, 'application/json'])
  expect(JSON.parse(body)).toEqual(message)
  expect(Object.keys(request.headers).filter((name) => name.startsWith('webhook-'))).toEqual([])
})

test('ntfy gets a text with a title, and a token only if there is one', async () => {
  const open = await deliver({ format: 'ntfy' }, '/mayfly')
  expect([open.method, open.path, open.body]).toEqual(['POST', '/mayfly', TEXT])
  expect(open.headers).toMatchObject({ title: 'Mayfly', 'content-type': 'text/plain; charset=utf-8' })
  expect(open.headers).not.toHaveProperty('authorization')
  const closed = await deliver({ format: 'ntfy', token: 'tk_1' }, '/mayfly')
  expect(closed.headers).toMatchObject({ authorization: 'Bearer tk_1' })
})

test('gotify gets a message with the token of an application', async () => {
  const { headers, body } = await deliver({ format: 'gotify', token: 'A1b2' }, '/message')
  expect(headers).toMatchObject({ 'x-gotify-key': 'A1b2' })
  expect(JSON.parse(body)).toEqual({ title: 'Mayfly', message: TEXT, priority: 5 })
})

test('a Matrix room gets a notice whose transaction id is the same for each attempt', async () => {
  const path = '/_matrix/client/v3/rooms/!a:example.org/send/m.room.message'
  const { method, headers, body, ...request } = await deliver({ format: 'matrix', token: 'syt_1' }, path)
  expect([method, request.path]).toEqual(['PUT', `${path}/evt_1`])
  expect(headers).toMatchObject({ authorization: 'Bearer syt_1' })
  expect(JSON.parse(body)).toEqual({ msgtype: 'm.notice', body: TEXT })
})

test('a target without the credentials of its format is an error at the start', async () => {
  const open = (options: object) => openPlugin(webhook, { options: { url: 'https://example.org', ...options } })
  await expect(open({})).rejects.toThrow('webhook target "default" has no secrets')
  await expect(open({ format: 'gotify' })).rejects.toThrow('webhook target "default" has no token')
  await expect(open({ format: 'matrix' })).rejects.toThrow('webhook target "default" has no token')
})

test('a sentence has ids, times and counts', () => {
  const data = { ...EVENT.data, requestId: 'R1', submissions: 2, submissionsLeft: 0, reason: 'request', views: 1 }
  const describe = (type: string) => describeEvent({ ...EVENT, type, data } as DurableEvent)
  expect(describe('request.submitted')).toBe('Request R1 has a submission. 0 submissions left.')
  expect(describe('secret.burned')).toBe('Secret x8Yk2mQvT0qk1l5r9cJ7Zg was burned after 1 view.')
  expect(describe('request.expired')).toBe('Request R1 expired with 2 submissions.')
  expect(describe('ping')).toBe('This is a test message.')
})
