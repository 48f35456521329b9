import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net, { type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { AuditEntry, AuditSink, Hooks } from '#core'
import { openPlugin } from '#core/testing'
import { needs } from '#test/needs'
import { splitFrames } from '#test/syslog-frames'
import { createTlsListener } from '#test/tls-listener'
import auditSyslog from './index.js'
import { toSyslogMessage } from './syslog-message.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const entry = (differing: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 'id-1',
  at: Date.UTC(2026, 0, 31, 12),
  action: 'session.refused',
  actor: null,
  subject: 'jörg ☃',
  address: '192.0.2.0/24',
  detail: {},
  ...differing,
})

async function open(url: string, options: object = {}): Promise<Required<AuditSink>> {
  const hooks: Partial<Hooks> & { close(): Promise<void> } = await openPlugin(auditSyslog as never, {
    options: { url, host: 'web-1', ...options },
  })
  closing.push(hooks.close)
  return hooks.auditSink as Required<AuditSink>
}

/** Listens on a stream socket and collects the received data. */
async function collect(server: Server, where: { path: string } | { port: number; host: string }) {
  const chunks: Buffer[] = []
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => sockets.add(socket))
  server.on(server.listenerCount('tlsClientError') > 0 ? 'secureConnection' : 'connection', (socket: net.Socket) => {
    socket.on('data', (chunk) => void chunks.push(chunk))
  })
  await new Promise<void>((resolve) => server.listen(where, resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { messages: () => splitFrames(Buffer.concat(chunks)), drop }
}

describe('message', () => {
  const sender = { facility: 'audit', host: 'web 1☃', app: 'mayfly', pid: 42 } as const

  test('has the header of RFC 5424 and the entry as JSON', () => {
    const message = toSyslogMessage(entry(), sender)
    expect(message).toBe(`<108>1 2026-01-31T12:00:00.000Z web1 mayfly 42 session.refused - ${JSON.stringify(entry())}`)
    expect(toSyslogMessage(entry({ action: 'user.created' }), { ...sender, facility: 'local0' })).toMatch(/^<133>1 /)
  })

  test('has one line, and a message id of up to 32 characters', () => {
    const message = toSyslogMessage(entry({ subject: 'a\nb', action: 'x'.repeat(50) }), { ...sender, host: ' ' })
    expect(message).not.toContain('\n')
    expect(message).toMatch(/^<109>1 \S+ - mayfly 42 x{32} - \{/)
  })
})

test('UDP: one packet for each entry, without the details of a large one', async () => {
  const server = createSocket('udp4')
  const received: string[] = []
  server.on('message', (data) => void received.push(data.toString()))
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const sink = await open(`udp://127.0.0.1:${server.address().port}`)
  await sink.write([entry(), entry({ id: 'id-2', detail: { to: 'x'.repeat(3000) } })])
  await expect.poll(() => received.length).toBe(2)
  expect(received[0]).toContain('"subject":"jörg ☃"')
  expect(received[1]).toContain('"detail":{"cut":true}')
})

test('TCP: messages arrive in order over one connection, and over a new connection after it was lost', async () => {
  const server = net.createServer()
  const { messages, drop } = await collect(server, { port: 0, host: '127.0.0.1' })
  let connections = 0
  server.on('connection', () => connections++)
  const sink = await open(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await sink.ping()
  await sink.write([entry({ id: 'a' }), entry({ id: 'b' })])
  await sink.write([entry({ id: 'c' })])
  await expect.poll(() => messages().length).toBe(3)
  expect(connections).toBe(1)
  drop()
  await expect
    .poll(async () => {
      await sink.write([entry({ id: 'd' })]).catch(() => {})
      return messages().some((message) => message.includes('"id":"d"'))
    })
    .toBe(true)
  expect(
    messages()
      .slice(0, 3)
      .map((message) => /"id":"(.)"/.exec(message)?.[1]),
  ).toEqual(['a', 'b', 'c'])
})

test('a local stream socket', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-syslog-'))
  closing.push(() => rm(folder, { recursive: true }))
  const path = join(folder, 'log')
  const { messages } = await collect(net.createServer(), { path })
  const sink = await open(`unix:${path}`)
  await sink.write([entry()])
  await expect.poll(() => messages()).toEqual([expect.stringContaining('jörg ☃')])
})

test('TLS: the certificate is checked, and messages arrive', needs('openssl'), async () => {
  const { server, caFile, close } = createTlsListener()
  closing.push(close)
  const { messages } = await collect(server, { port: 0, host: '127.0.0.1' })
  const url = `tls://localhost:${(server.address() as AddressInfo).port}`
  await expect((await open(url)).write([entry()])).rejects.toMatchObject({
    code: expect.stringMatching(/CERT|SELF_SIGNED/),
  })
  const sink = await open(url, { caFile })
  await sink.write([entry()])
  await expect.poll(() => messages()).toHaveLength(1)
})

test('a server that does not listen is an error', async () => {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const sink = await open(`tcp://127.0.0.1:${port}`)
  await expect(sink.write([entry()])).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await expect(sink.ping()).rejects.toThrow()
})

test.each([
  'http://127.0.0.1',
  'udp://',
  'tcp://host:0',
  'tcp://host:70000',
  'tcp://user@host',
  'unix:log',
  'udp://a b',
])('the option url refuses %s', (url) => {
  expect(auditSyslog.options.safeParse({ url }).error?.issues[0]?.path).toEqual(['url'])
})

test('the option url has a default port for each protocol and accepts IPv6', () => {
  for (const url of ['udp://[::1]', 'tcp://logs.example.org', 'tls://logs.example.org:6514', 'unix:/run/log'])
    expect(auditSyslog.options.safeParse({ url }).success).toBe(true)
})
