export interface QueuedCall<Input, Output> {
  input: Input
  /** Resolves the call with a result, or with a promise that may reject. */
  settle(output: Output | Promise<Output>): void
}

interface Batches<Input, Output> {
  /** Maximum number of calls in a batch. With 1, calls do not wait for each other. */
  batchSize: number
  /** Removes the calls of the next batch, at least the first one, from the queue. */
  takeBatch(queue: QueuedCall<Input, Output>[]): QueuedCall<Input, Output>[]
  /** Returns a result for each input. Null, for several inputs: each call runs again in its own batch. */
  run(inputs: Input[]): Promise<Output[] | null>
}

/**
 * Queues calls and runs them in batches. Calls that arrive while a batch runs form the next batch. An idle queue runs
 * at once.
 */
export function createBatchQueue<Input, Output>({ batchSize, takeBatch, run }: Batches<Input, Output>) {
  const queue: QueuedCall<Input, Output>[] = []
  let isRunning = false

  async function runNext(): Promise<void> {
    await settleBatch(takeBatch(queue))
    isRunning = false
    schedule()
  }

  /** Never rejects. */
  async function settleBatch(batch: QueuedCall<Input, Output>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ input }) => input))
      if (results) for (const [index, { settle }] of batch.entries()) settle(results[index] as Output)
      else for (const call of batch) void settleBatch([call])
    } catch (error) {
      for (const { settle } of batch) settle(Promise.reject(error))
    }
  }

  /** Waits for the end of the current turn of the event loop, so that calls of the same turn share a batch. */
  function schedule(): void {
    if (isRunning || queue.length === 0) return
    isRunning = true
    setImmediate(runNext)
  }

  return (input: Input): Promise<Output> =>
    new Promise((settle) => {
      if (batchSize === 1) return void settleBatch([{ input, settle }])
      queue.push({ input, settle })
      schedule()
    })
}
