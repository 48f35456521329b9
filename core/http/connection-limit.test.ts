import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONNECTIONS, createConnectionCounter, isReverseProxy, limitConnections } from './connection-limit.js'

const MAX = 20
const PROXY = '127.0.0.3'
const LAST_CLIENT = '127.0.0.9'
let server: Server
const sockets: Socket[] = []
beforeAll(async () => {
  server = createServer((_, response) => response.end('☃'))
  limitConnections(server, { client: MAX, site: MAX }, (address) => address === PROXY)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const connectFrom = (localAddress: string): Socket => {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
  sockets.push(socket)
  return socket
}

/** Opens connections that never complete a request. Returns the number that the server keeps open. */
async function openIncomplete(count: number, localAddress: string): Promise<number> {
  const opened = Array.from({ length: count }, () => connectFrom(localAddress))
  for (const socket of opened) socket.write('GET / HT')
  await expect.poll(() => opened.every(({ connecting }) => !connecting)).toBe(true)
  // The server handles connections in order, so it has handled these when it responds to a later one.
  await readStatus(LAST_CLIENT)
  return opened.filter((socket) => !socket.destroyed).length
}

/** Status line of a complete request; '' if the server closes the connection. */
async function readStatus(localAddress: string): Promise<string> {
  const socket = connectFrom(localAddress).setEncoding('utf8')
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  let received = ''
  socket.on('data', (text: string) => {
    received += text
  })
  await once(socket, 'close')
  return received.split('\r\n')[0] ?? ''
}

test('SEC-36: incomplete requests of one client do not keep out others, and the client itself returns when they are closed', async () => {
  expect(await openIncomplete(MAX + 30, '127.0.0.1')).toBe(MAX)
  expect(await readStatus('127.0.0.1')).toBe('')
  expect(await readStatus('127.0.0.2')).toBe('HTTP/1.1 200 OK')
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => readStatus('127.0.0.1')).toBe('HTTP/1.1 200 OK')
})

test('SEC-36: an IPv6 /48 network cannot take the connections of all others, and its counters end with its connections', () => {
  const counter = createConnectionCounter(CONNECTIONS)
  const open = (address: string) => counter.open(address)
  const addressOf = (network: number) => `2001:db8:7:${network.toString(16)}::${network + 1}`
  const opened = Array.from({ length: 2048 }, (_, index) => open(addressOf(index % 8)))
  const releases = opened.filter((release) => release !== null)
  expect(releases).toHaveLength(CONNECTIONS.site)
  expect(open(addressOf(99))).toBeNull()
  for (const address of ['2001:db8:8::1', '203.0.113.7']) expect(open(address)).not.toBeNull()
  for (const release of releases) release()
  expect(counter.size()).toBe(3)
  expect(open(addressOf(99))).not.toBeNull()
})

test('IPv4 addresses are limited one by one', () => {
  const counter = createConnectionCounter({ client: 2, site: 3 })
  const opened = Array.from({ length: 12 }, (_, index) => counter.open(`203.0.113.${index % 4}`))
  expect(opened.filter((release) => release !== null)).toHaveLength(8)
})

test('a reverse proxy is not limited', async () => {
  expect(await openIncomplete(MAX + 30, PROXY)).toBe(MAX + 30)
})

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['10.0.0.7', true],
  ['203.0.113.7', false],
])('isReverseProxy(%s) is %s with 10.0.0.0/8 among trustedProxies', (address, expected) => {
  expect(isReverseProxy(['10.0.0.0/8'])(address)).toBe(expected)
})
