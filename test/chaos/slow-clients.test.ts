/** SEC-36. Slow, idle and incomplete connections end in time, and other clients get their responses meanwhile. */
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { percentile } from '#bench/statistics'
import { MEMORY_ENV } from '#test/memory-plugin'
import { type RunningServer, startServer } from '#test/start-server'

const CONNECTIONS = 800
const AT_ONCE = 100
/** Added to twice the usual median latency. Single requests are not compared: one busy moment delays them. */
const MARGIN_MS = 500
/** Every response arrives well before the server ends the slow connections, so it did not wait for their end. */
const LIMIT_MS = 8_000
/** Time limit of headers (10 s) and of JSON bodies (30 s), the interval between checks (5 s), and a margin. */
const HEADERS_MS = 10_000 + 5_000 + 10_000
const BODY_MS = 30_000 + 10_000

let server: RunningServer
/** Median latency without slow clients, in ms. */
let usualMs: number
const sockets: Socket[] = []
beforeAll(async () => {
  server = await startServer({ env: { ...MEMORY_ENV, MAYFLY_LOG: 'error' } })
  usualMs = percentile(await measureOthers(5), 0.5)
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await server.stop()
})

interface Connection {
  socket: Socket
  /** Resolves with everything received when the server closes the connection. */
  closed: Promise<string>
}

function open(sent: string): Connection {
  const socket = connect(server.port, '127.0.0.1')
  sockets.push(socket)
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => {}).on('close', () => resolve(received))
  })
  socket.write(sent)
  return { socket, closed }
}

/**
 * Opens all connections, and waits in between for a response: the system accepts more connections than wait for the
 * server to take them, and resets some of the others.
 */
async function openAll(sent: string): Promise<Connection[]> {
  const opened: Connection[] = []
  while (opened.length < CONNECTIONS) {
    opened.push(...Array.from({ length: AT_ONCE }, () => open(sent)))
    await (await fetch(`${server.url}/healthz`)).arrayBuffer()
  }
  return opened
}

/** Sends a byte every second until the server closes the connection. */
async function trickle({ socket, closed }: Connection, byte: string): Promise<void> {
  const ended = closed.then(() => true)
  while (!(await Promise.race([ended, setTimeout(1_000, false)]))) socket.write(byte)
}

/** Latencies in ms of a client that asks for the settings ten times a second for `seconds`. */
async function measureOthers(seconds: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < seconds * 10; n++) {
    const started = performance.now()
    const response = await fetch(`${server.url}/api/v1/settings`)
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    times.push(performance.now() - started)
    await setTimeout(100)
  }
  return times
}

function expectServed(times: number[]): void {
  expect(percentile(times, 0.5)).toBeLessThan(2 * usualMs + MARGIN_MS)
  expect(Math.max(...times)).toBeLessThan(LIMIT_MS)
}

const within = (ms: number, promise: Promise<string>) => Promise.race([promise, setTimeout(ms, 'open', { ref: false })])

describe.concurrent('the server ends', () => {
  test('SEC-36: connections that never complete their headers, while others are served', async () => {
    const opened = await openAll('GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ')
    const times = await measureOthers(5)
    expectServed(times)
    const ends = await Promise.all(opened.map(({ closed }) => within(HEADERS_MS, closed)))
    expect(ends.filter((text) => !text.startsWith('HTTP/1.1 408 '))).toEqual([])
  })

  test('SEC-36: headers that arrive byte by byte', async () => {
    const slow = open('GET / HTTP/1.1\r\nX-A: ')
    void trickle(slow, 'a')
    expect(await within(HEADERS_MS, slow.closed)).toMatch(/^HTTP\/1.1 408 /)
  })

  test('SEC-07, SEC-36: a JSON body that arrives byte by byte', async () => {
    const head = 'POST /api/v1/secret HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    const slow = open(`${head}Content-Length: 1000\r\n\r\n{"text":"`)
    void trickle(slow, 'a')
    const response = await within(BODY_MS, slow.closed)
    expect(response).toMatch(/^HTTP\/1.1 408 /)
    expect(response).toContain('"code":"request.timeout"')
  })

  test('SEC-36: no idle connection that others need: 800 of them slow down no other client', async () => {
    const keepAlive = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const idle = await openAll(keepAlive)
    const times = await measureOthers(5)
    expectServed(times)
    for (const { socket } of idle) socket.destroy()
  })
})
