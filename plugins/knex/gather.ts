/** Calls that come while others run wait, and then go together. Nobody waits for company: when nothing runs they start. */

/** A call and where its answer goes: a promise will do, also one that rejects. */
export interface Waiting<Call, Answer> {
  call: Call
  answer(answer: Answer | Promise<Answer>): void
}

interface Parts<Call, Answer> {
  /** Removes who go together now, the first one at least, from those who wait. */
  take(waiting: Waiting<Call, Answer>[]): Waiting<Call, Answer>[]
  /** Answers each of them. Never rejects. */
  run(together: Waiting<Call, Answer>[]): Promise<void>
}

export function gather<Call, Answer>({ take, run }: Parts<Call, Answer>): (call: Call) => Promise<Answer> {
  const waiting: Waiting<Call, Answer>[] = []
  let isRunning = false

  async function start(): Promise<void> {
    await run(take(waiting))
    isRunning = false
    startSoon()
  }

  /** At the end of this turn of the event loop, so that who comes in the same turn comes along. */
  function startSoon(): void {
    if (isRunning || waiting.length === 0) return
    isRunning = true
    setImmediate(start)
  }

  return (call) =>
    new Promise((answer) => {
      waiting.push({ call, answer })
      startSoon()
    })
}

/** Resolves when a call has been answered, whatever came of it. */
export async function answered<Answer>({ answer }: Waiting<unknown, Answer>, running: Promise<Answer>): Promise<void> {
  answer(running)
  await Promise.allSettled([running])
}
