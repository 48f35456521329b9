import { afterEach, expect, test, vi } from 'vitest'
import type { SecretStore } from '../contracts/storage.js'
import { deleteExpiredSecrets } from './expired-secrets.js'

afterEach(() => void vi.restoreAllMocks())

/** Runs batches that take these times, of which the last one is not full. */
async function runBatches(batchMs?: number) {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const times = [5, 40, 500, 1, 0, 20, 10]
  const limits: number[] = []
  const deleteExpired = async ({ limit }: { limit: number }) => {
    clock += times[limits.length] ?? 0
    limits.push(limit)
    const count = limits.length === times.length ? 3 : limit
    return Array.from({ length: count }, (_, at) => ({ id: `é${at}`, expired: true }))
  }
  const rests: number[] = []
  const deleted = await deleteExpiredSecrets({
    store: { deleteExpired } as unknown as SecretStore,
    batchMs,
    recordExpired: async () => {},
    now: () => 1,
    goOn: async () => true,
    rest: async (ms) => void rests.push(ms),
  })
  return { limits, deleted, rests }
}

test('REL-06: deleteExpiredSecrets pauses for the duration of each batch and adapts the batch size', async () => {
  const { limits, deleted, rests } = await runBatches()
  expect(limits).toEqual([20, 40, 10, 5, 50, 1000, 500])
  expect(deleted).toBe(20 + 40 + 10 + 5 + 50 + 1000 + 3)
  expect(rests).toEqual([5, 40, 500, 1, 0, 20])
})

test('deleteExpiredSecrets adapts the batch size to the target duration of the storage', async () => {
  expect((await runBatches(50)).limits).toEqual([20, 200, 250, 25, 1000, 1000, 1000])
})
