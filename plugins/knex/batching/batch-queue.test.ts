import { expect, test } from 'vitest'
import { createBatchQueue } from './batch-queue.js'

/** A queue that records its batches. Each batch ends when the returned `release` is called. */
function createQueue(batchSize: number) {
  const batches: number[][] = []
  const releases: (() => void)[] = []
  const enqueue = createBatchQueue<number, number>({
    batchSize,
    takeBatch: (queue) => queue.splice(0, batchSize),
    async run(inputs) {
      batches.push(inputs)
      if (inputs.length === 1 && inputs.some((input) => input < 0)) throw new Error('negative')
      await new Promise<void>((resolve) => releases.push(resolve))
      return inputs.some((input) => input < 0) ? null : inputs.map((input) => 2 * input)
    },
  })
  const release = async () => {
    await expect.poll(() => releases.length).toBeGreaterThan(0)
    releases.shift()?.()
  }
  return { enqueue, batches, release }
}

test('calls of the same turn share a batch, and later ones form the next batch', async () => {
  const { enqueue, batches, release } = createQueue(3)
  const first = [enqueue(1), enqueue(2)]
  await expect.poll(() => batches).toEqual([[1, 2]])
  const later = [enqueue(3), enqueue(4), enqueue(5), enqueue(6)]
  for (let batch = 0; batch < 3; batch++) await release()
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12])
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]])
})

test('with a batch size of 1, calls do not wait for each other', async () => {
  const { enqueue, batches, release } = createQueue(1)
  const results = [enqueue(1), enqueue(2)]
  await expect.poll(() => batches).toEqual([[1], [2]])
  for (let batch = 0; batch < 2; batch++) await release()
  expect(await Promise.all(results)).toEqual([2, 4])
})

test('batch without results runs call by call, and the queue goes on', async () => {
  const { enqueue, batches, release } = createQueue(2)
  const results = Promise.allSettled([enqueue(-1), enqueue(1), enqueue(2)])
  for (let run = 0; run < 3; run++) await release()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(batches).toEqual([[-1, 1], [-1], [1], [2]])
})
