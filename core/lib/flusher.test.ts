import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFlusher } from './flusher.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the flusher writes at every interval and once when stopped', async () => {
  const write = vi.fn(async () => {})
  const flusher = createFlusher(1000, write)
  await vi.advanceTimersByTimeAsync(2500)
  expect(write).toHaveBeenCalledTimes(2)
  await flusher.stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(write).toHaveBeenCalledTimes(3)
})

test('the flusher never runs two writes at the same time', async () => {
  const steps: string[] = []
  const flusher = createFlusher(60_000, async () => {
    steps.push('begin')
    await Promise.resolve()
    steps.push('end')
  })
  await Promise.all([flusher.flush(), flusher.flush(), flusher.stop()])
  expect(steps).toEqual(['begin', 'end', 'begin', 'end', 'begin', 'end'])
})
