import { expect, test } from 'vitest'
import type { HttpRequestInit } from '#shared/client/send-request'
import { createRetryingFetch } from './limited-fetch.js'

const GET = { headers: {} }

function serverThatLimits(times: number, retryAfter: string) {
  let left = times
  const bodies: unknown[] = []
  const send = async (_: string, { body }: HttpRequestInit) => {
    bodies.push(body)
    return left-- > 0 ? new Response('{}', { status: 429, headers: { 'retry-after': retryAfter } }) : new Response('ok')
  }
  return { send, bodies }
}

test('a limited request is sent again after Retry-After', async () => {
  const waits: number[] = []
  const { send, bodies } = serverThatLimits(2, '15')
  const pause = async () => {}
  const retrying = createRetryingFetch(send, { maxWaitMs: 60_000, onWait: (seconds) => waits.push(seconds), pause })
  const response = await retrying('http://x', { method: 'POST', headers: {}, body: 'täxt' })
  expect(await response.text()).toBe('ok')
  expect(waits).toEqual([15, 15])
  expect(bodies).toEqual(['täxt', 'täxt', 'täxt'])
})

test('a longer wait, a stream and other failures are returned at once', async () => {
  const onWait = () => {
    throw new Error('waited')
  }
  const long = serverThatLimits(1, '3600')
  expect((await createRetryingFetch(long.send, { maxWaitMs: 60_000, onWait })('http://x', GET)).status).toBe(429)
  const stream = serverThatLimits(1, '1')
  const init = { method: 'PUT', headers: {}, body: new ReadableStream() }
  expect((await createRetryingFetch(stream.send, { maxWaitMs: 60_000, onWait })('http://x', init)).status).toBe(429)
  const unnamed = serverThatLimits(1, '')
  expect((await createRetryingFetch(unnamed.send, { maxWaitMs: 0, onWait })('http://x', GET)).status).toBe(429)
})
