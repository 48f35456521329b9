/** SEC-07. Requests with bodies over the limit take no memory worth mentioning, however many arrive at once. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MEMORY_ENV } from '#test/memory-plugin'
import { type RunningServer, startServer } from '#test/start-server'

const MiB = 2 ** 20
const CONNECTIONS = 100
/** Size of the body that each client sends, unless the server ends the connection earlier. */
const BODY_BYTES = 32 * MiB
/**
 * Of all bodies. Up to 1 MiB of each is received before it is refused, once as bytes and once as text; how much of that
 * is garbage at the same time depends on the collector (200 to 400 MiB were measured).
 */
const GROWTH_MAX = (CONNECTIONS * BODY_BYTES) / 4

let server: RunningServer
beforeAll(async () => {
  server = await startServer({
    env: { ...MEMORY_ENV, MAYFLY_LIMITS: 'off', MAYFLY_LOG: 'error' },
  })
})
afterAll(() => server.stop())

/** The highest amount of memory that the server has used so far, in bytes. */
function readPeakMemory(): number {
  const [, kB] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? []
  return Number(kB) * 1024
}

/** Sends a body as fast as the server takes it. Resolves with the first line of the response. */
function sendBody(headers: string): Promise<string> {
  return new Promise((resolve) => {
    const chunk = Buffer.alloc(MiB, 'x')
    const socket = connect(server.port, '127.0.0.1')
    let [received, sent] = ['', 0]
    const isChunked = headers.includes('chunked')
    const write = () => {
      while (sent < BODY_BYTES && socket.writable) {
        sent += chunk.length
        if (isChunked) socket.write(`${chunk.length.toString(16)}\r\n`)
        const hasRoom = socket.write(chunk)
        if (isChunked) socket.write('\r\n')
        if (!hasRoom) return
      }
    }
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      socket.destroy()
    })
    socket
      .on('drain', write)
      .on('error', () => {})
      .on('close', () => resolve(received.split('\r\n')[0] ?? ''))
    socket.write(
      `POST /api/v1/secret HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`,
    )
    write()
  })
}

test.each([
  ['a declared length', `Content-Length: ${BODY_BYTES}`],
  ['chunks', 'Transfer-Encoding: chunked'],
  ['a compressed body', `Content-Encoding: gzip\r\nContent-Length: ${BODY_BYTES}`],
])(
  'SEC-07: 100 bodies of 32 MiB with %s at once are refused and take less than a quarter of that',
  async (_, headers) => {
    const before = readPeakMemory()
    const lines = await Promise.all(Array.from({ length: CONNECTIONS }, () => sendBody(headers)))
    // A reset of the connection may overtake the response.
    expect(lines.filter((line) => line !== '' && !/ 4(13|15) /.test(line))).toEqual([])
    expect(lines.some((line) => / 4(13|15) /.test(line))).toBe(true)
    expect(readPeakMemory() - before).toBeLessThan(GROWTH_MAX)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(204)
  },
)
