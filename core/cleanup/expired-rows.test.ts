import { expect, test, vi } from 'vitest'
import { sweepRows } from './expired-rows.js'

const sweeping = (...batches: number[]) =>
  vi.fn(async (_now: number, limit: number) => Math.min(limit, batches.shift() ?? 0))

test('each kind until nothing of it is left, with a rest after each full batch', async () => {
  const [one, two] = [sweeping(500, 500, 3), sweeping(0)]
  const rest = vi.fn(async () => {})
  await sweepRows({ sweeps: [one, two], now: () => 7, goOn: async () => true, rest })
  expect([one.mock.calls.length, two.mock.calls.length, rest.mock.calls.length]).toEqual([3, 1, 2])
  expect(one).toHaveBeenLastCalledWith(7, 500)
})

test('no further batch for a process that is not to sweep any more', async () => {
  const [one, two] = [sweeping(500, 500), sweeping(500)]
  await sweepRows({ sweeps: [one, two], now: () => 7, goOn: async () => false })
  expect([one.mock.calls.length, two.mock.calls.length]).toEqual([1, 0])
})
