/** `retryForMs` of the client: which requests are repeated, and for how long. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ClientOptions, createClient, NetworkError } from './client.js'
import type { HttpRequestInit } from './send-request.js'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})
afterEach(() => vi.useRealTimers())

const VIEWED = {
  id: 'a'.repeat(22),
  kind: 'sealed',
  text: 'täxt',
  title: null,
  files: [],
  maxViews: 0,
  preventBurn: false,
  isPublic: false,
  expiresAt: 1,
}

/** Each step is a status with Retry-After, or the code of a network error. After them, requests succeed. */
function clientOf(steps: (number | string)[], options: Partial<ClientOptions> = {}) {
  const sent: HttpRequestInit[] = []
  const waits: number[] = []
  const fetch = async (url: string, request: HttpRequestInit) => {
    sent.push(request)
    const step = steps.shift()
    if (typeof step === 'string') throw Object.assign(new Error(step), { code: step })
    if (step !== undefined) return new Response('{}', { status: step, headers: { 'retry-after': '15' } })
    return new Response(JSON.stringify(url.endsWith('/burn') ? { burned: true } : VIEWED))
  }
  const onWait = (ms: number) => waits.push(ms)
  const client = createClient({ server: 'http://x', fetch, retryMs: [], retryForMs: 60_000, onWait, ...options })
  return { client, sent, waits }
}

async function settle<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  await vi.runAllTimersAsync()
  return work
}

test.each([['ECONNREFUSED'], ['ECONNRESET'], [502], [503], [504], [429]])(
  'a view is repeated after %s with the same body',
  async (step) => {
    const { client, sent } = clientOf([step, step])
    await settle(client.view('id', { claim: 'clàim' }))
    expect(sent.map(({ body }) => body)).toEqual(Array(3).fill('{"claim":"clàim"}'))
  },
)

test('a non-idempotent request is repeated only if the server cannot have processed it', async () => {
  const safe = clientOf(['ECONNREFUSED', 429])
  await settle(safe.client.burn('id', { burnToken: 'x' }))
  expect(safe.waits).toEqual([500, 15_000])
  for (const step of ['ECONNRESET', 502, 504]) {
    const unsafe = clientOf([step])
    await expect(settle(unsafe.client.burn('id', { burnToken: 'x' }))).rejects.toThrow()
    expect(unsafe.sent).toHaveLength(1)
  }
})

test('the last error is thrown when the time is over, and at once for a longer limit', async () => {
  const down = clientOf(Array(100).fill('ECONNREFUSED'))
  const started = Date.now()
  await expect(settle(down.client.settings())).rejects.toThrow(NetworkError)
  expect(Date.now() - started).toBeLessThanOrEqual(60_000)
  expect(Date.now() - started).toBeGreaterThan(50_000)
  const limited = clientOf([429], { retryForMs: 14_000 })
  await expect(settle(limited.client.settings())).rejects.toMatchObject({ status: 429 })
  expect(limited.waits).toEqual([])
})

test('without a time, requests beyond a limit and refused connections are not repeated', async () => {
  for (const step of [429, 'ECONNREFUSED']) {
    const { client, sent } = clientOf([step], { retryForMs: 0 })
    await expect(settle(client.burn('id', { burnToken: 'x' }))).rejects.toThrow()
    expect(sent).toHaveLength(1)
  }
})

test('an upload of a stream and a deletion of an upload are sent once', async () => {
  const { client, sent } = clientOf(['ECONNREFUSED', 'ECONNREFUSED'])
  const upload = { id: 'id', token: 't' }
  const stream = { stream: new ReadableStream<Uint8Array>(), length: 1 }
  await expect(settle(client.putPart(upload, 0, stream))).rejects.toThrow(NetworkError)
  await expect(settle(client.deleteFile(upload))).rejects.toThrow(NetworkError)
  expect(sent).toHaveLength(2)
})
