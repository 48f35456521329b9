import { expect, test } from 'vitest'
import { coalesce, settleWith } from './coalesce.js'

/** A queue that records its batches. Each batch ends when the returned `release` is called. */
function createQueue(batchSize: number) {
  const batches: number[][] = []
  const releases: (() => void)[] = []
  const enqueue = coalesce<number, number>({
    takeBatch: (queue) => queue.splice(0, batchSize),
    async runBatch(batch) {
      batches.push(batch.map(({ input }) => input))
      await new Promise<void>((resolve) => releases.push(resolve))
      await Promise.all(batch.map((queued) => settleWith(queued, double(queued.input))))
    },
  })
  const release = async () => {
    await expect.poll(() => releases.length).toBeGreaterThan(0)
    releases.shift()?.()
  }
  return { enqueue, batches, release }
}

async function double(input: number): Promise<number> {
  if (input < 0) throw new Error('negative')
  return 2 * input
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

test('failing call rejects alone, and the queue goes on', async () => {
  const { enqueue, release } = createQueue(2)
  const results = Promise.allSettled([enqueue(-1), enqueue(1), enqueue(2)])
  for (let batch = 0; batch < 2; batch++) await release()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
})
