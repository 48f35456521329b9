/** How many answers one ticket may get at the same time, from one process. */
import { Readable } from 'node:stream'
import { AppError } from '../errors.js'
import type { Octets } from './octets.js'

/** More than any client of ours asks for. */
const PARALLEL = 4
/** An answer of which nobody took anything for so long may be one whose reader is gone without a word. */
const STALLED_MS = 10_000

interface Answer {
  body: Readable | null
  /** Epoch ms. */
  movedAt: number
}

/** `now`: epoch ms. */
export function fewAtOnce(now: () => number) {
  const running = new Map<string, Set<Answer>>()

  /** Throws AppError `limit.reached`, and what `begin` throws. An answer that has stalled makes room for a new one. */
  return async (ticket: string, begin: () => Promise<Octets>): Promise<Octets> => {
    const others = running.get(ticket) ?? new Set()
    if (others.size >= PARALLEL) endStalled(others, now() - STALLED_MS)
    if (others.size >= PARALLEL) throw new AppError('limit.reached', { retryAfter: 1 })
    const answer: Answer = { body: null, movedAt: now() }
    running.set(ticket, others.add(answer))
    const ended = () => {
      others.delete(answer)
      if (others.size === 0 && running.get(ticket) === others) running.delete(ticket)
    }
    try {
      const { body, length } = await begin()
      answer.body = Readable.from(noting(body, answer), { objectMode: false })
      answer.body.once('close', () => {
        body.destroy()
        ended()
      })
      return { body: answer.body, length }
    } catch (error) {
      ended()
      throw error
    }
  }

  async function* noting(body: Readable, answer: Answer) {
    for await (const chunk of body) {
      answer.movedAt = now()
      yield chunk
    }
  }
}

function endStalled(answers: Set<Answer>, since: number): void {
  for (const answer of answers) {
    if (answer.body === null || answer.movedAt > since) continue
    answers.delete(answer)
    answer.body.destroy(new AppError('limit.reached'))
  }
}
