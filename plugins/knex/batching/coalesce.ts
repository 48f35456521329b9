/** Coalesces calls: calls that arrive while a batch runs form the next batch. An idle queue runs at once. */

export interface QueuedCall<Input, Output> {
  input: Input
  /** Ends the call with a result, or with a promise of one, which may reject. */
  settle(output: Output | Promise<Output>): void
}

interface BatchFunctions<Input, Output> {
  /** Removes the calls of the next batch, at least the first one, from the queue. */
  takeBatch(queue: QueuedCall<Input, Output>[]): QueuedCall<Input, Output>[]
  /** Settles each call. Never rejects. */
  runBatch(batch: QueuedCall<Input, Output>[]): Promise<void>
}

export function coalesce<Input, Output>({
  takeBatch,
  runBatch,
}: BatchFunctions<Input, Output>): (input: Input) => Promise<Output> {
  const queue: QueuedCall<Input, Output>[] = []
  let isRunning = false

  async function runNext(): Promise<void> {
    await runBatch(takeBatch(queue))
    isRunning = false
    schedule()
  }

  /** Waits for the end of the current turn of the event loop, so that calls of the same turn share a batch. */
  function schedule(): void {
    if (isRunning || queue.length === 0) return
    isRunning = true
    setImmediate(runNext)
  }

  return (input) =>
    new Promise((settle) => {
      queue.push({ input, settle })
      schedule()
    })
}

/** Settles a call with `running`. Resolves when that has ended, successfully or not. */
export async function settleWith<Output>(
  { settle }: QueuedCall<unknown, Output>,
  running: Promise<Output>,
): Promise<void> {
  settle(running)
  await Promise.allSettled([running])
}
