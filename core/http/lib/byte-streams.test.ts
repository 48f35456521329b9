import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { openRequestStream } from './byte-streams.js'
import type { AppContext } from './state.js'

// The larger bodies have arrived completely when the client disconnects, but have not been read completely.
test.each([
  ['before', 11, 100, true],
  ['after', 11, 100, false],
  ['before', 300_000, 300_000, true],
  ['after', 300_000, 300_000, false],
])(
  'a client that disconnects %s the stream is opened and sent %i of %i bytes ends it with an error',
  async (_, sent, length, isFirst) => {
    // The request buffers the bytes that exceed the buffer of the stream.
    const server = createServer({ highWaterMark: 1024 * 1024 }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.write(`PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`)
    client.write(Buffer.alloc(sent))
    const [req] = (await once(server, 'request')) as [IncomingMessage]
    req.on('error', () => {})
    const open = () => openRequestStream({ req, request: { length }, get: () => '' } as unknown as AppContext).body
    const early = isFirst ? null : open()
    await vi.waitFor(() => expect(req).toMatchObject({ complete: sent === length, closed: false }))
    const closed = once(req, 'close').catch(() => {})
    client.destroy()
    await closed
    const body = early ?? open()
    if (!body.errored) await once(body, 'close', { signal: AbortSignal.timeout(5000) })
    expect(body.errored).toMatchObject({ code: 'request.timeout' })
    server.close()
  },
)
