import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { openRequestStream } from './byte-streams.js'
import type { AppContext } from './state.js'

test.each([
  ['before', true],
  ['after', false],
])('a client that goes away %s the stream is opened ends it with an error', async (_, isFirst) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nfirst bytes')
  const [req] = (await once(server, 'request')) as [IncomingMessage]
  req.on('error', () => {})
  const open = () => openRequestStream({ req, request: { length: 100 }, get: () => '' } as unknown as AppContext).body
  const early = isFirst ? null : open()
  const closed = once(req, 'close').catch(() => {})
  client.destroy()
  await closed
  const body = early ?? open()
  if (!body.errored) await once(body, 'close')
  expect(body.errored).toMatchObject({ code: 'request.timeout' })
  server.close()
})
