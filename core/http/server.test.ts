import type { Server } from 'node:http'
import { Duplex } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { CONNECTIONS } from './connection-limit.js'
import { listen, stopListening } from './server.js'

/** Not a loopback address, which is not limited. This machine cannot connect from it. */
const CLIENT = '203.0.113.7'
let server: Server
afterEach(() => stopListening(server, 0))

/** A connection that never sends a request. Node.js documents that a server accepts any stream as a connection. */
class IdleConnection extends Duplex {
  readonly remoteAddress = CLIENT
  override _read() {}
}

/** Opens one connection more than a client may have. Returns the number that the server keeps open. */
async function connectOften(trustedProxies: string[]): Promise<number> {
  server = await listen(() => {}, '127.0.0.1', 0, trustedProxies)
  const connections = Array.from({ length: CONNECTIONS.client + 1 }, () => new IdleConnection())
  for (const connection of connections) server.emit('connection', connection)
  return connections.filter(({ destroyed }) => !destroyed).length
}

test('SEC-36: a listening server limits the connections of one client', async () => {
  expect(await connectOften([])).toBe(CONNECTIONS.client)
})

test('a listening server does not limit the connections of a trusted proxy', async () => {
  expect(await connectOften(['203.0.113.0/24'])).toBe(CONNECTIONS.client + 1)
})
