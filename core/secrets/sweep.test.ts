import { afterEach, expect, test, vi } from 'vitest'
import type { SecretStore } from '../contracts/storage.js'
import { sweepSecrets } from './sweep.js'

afterEach(() => void vi.restoreAllMocks())

test('after each batch but the last it rests as long as that took', async () => {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const batches = [
    { count: 100, ms: 30 },
    { count: 100, ms: 70 },
    { count: 3, ms: 5 },
  ]
  const sweep = async () => {
    const { count = 0, ms = 0 } = batches.shift() ?? {}
    clock += ms
    return Array.from({ length: count }, (_, at) => ({ id: `é${at}`, expired: true }))
  }
  const rests: number[] = []
  const swept = await sweepSecrets({
    store: { sweep } as unknown as SecretStore,
    emit: async () => {},
    now: () => 1,
    goOn: async () => true,
    rest: async (ms) => void rests.push(ms),
  })
  expect(swept).toBe(203)
  expect(rests).toEqual([30, 70])
})
