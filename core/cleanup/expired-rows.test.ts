import { expect, test, vi } from 'vitest'
import { deleteExpiredRows } from './expired-rows.js'

const aTable = (...batches: number[]) =>
  vi.fn(async (_now: number, limit: number) => Math.min(limit, batches.shift() ?? 0))

test('deleteExpiredRows empties each table and pauses after each full batch', async () => {
  const [one, two] = [aTable(500, 500, 3), aTable(0)]
  const rest = vi.fn(async () => {})
  await deleteExpiredRows({ tables: [one, two], now: () => 7, goOn: async () => true, rest })
  expect([one.mock.calls.length, two.mock.calls.length, rest.mock.calls.length]).toEqual([3, 1, 2])
  expect(one).toHaveBeenLastCalledWith(7, 500)
})

test('deleteExpiredRows starts no further batch after the process lost the lease', async () => {
  const [one, two] = [aTable(500, 500), aTable(500)]
  await deleteExpiredRows({ tables: [one, two], now: () => 7, goOn: async () => false })
  expect([one.mock.calls.length, two.mock.calls.length]).toEqual([1, 0])
})
