/**
 * Group commit: writes that wait at the same moment share one transaction, and so one wait for the disk. A shared
 * transaction commits as a whole or leaves nothing behind, and then each of its writes runs alone, as if there had been
 * no other: that is why one that fails harms none of its neighbours.
 */
import type { Knex } from 'knex'
import type { SecretMeta } from '#core'
import { isLostRace } from './errors.js'
import { answered, gather, type Waiting } from './gather.js'
import { lock } from './locks.js'

/** Bytes of texts in one transaction; servers refuse statements of some megabytes. */
const MOST_BYTES = 1_000_000

/** Writes of one kind. `Call`: what a method of a store was called with. */
export interface Kind<Call, Answer> {
  /** The secret whose row is locked before anything is decided; null for one that is not there yet. */
  secretId(call: Call): string | null
  /** No two writes of a batch have one of these in common. */
  keys(call: Call): string[]
  /** Of the texts that are sent. */
  bytes(call: Call): number
  /** In a transaction of its own. */
  alone(call: Call): Promise<Answer>
  /** Answers each of `calls`, or `ALONE` for one that has to run by itself. Throws to undo the whole transaction. */
  together(shared: Shared, calls: Call[]): Promise<(Answer | typeof ALONE)[]>
}

export const ALONE = Symbol('alone')

/** The transaction that some writes share. */
export interface Shared {
  tx: Knex.Transaction
  /** The secrets of these writes, by id. */
  locked: Map<string, SecretMeta>
}

/** Runs one write. What it answers has been committed. */
export type Share = <Call, Answer>(kind: Kind<Call, Answer>, call: Call) => Promise<Answer>

/** One queue holds writes of every kind. */
interface Write {
  kind: Kind<unknown, unknown>
  call: unknown
}
type Writes = Waiting<Write, unknown>[]

/** `size`: most writes in one transaction; with 1 each has its own. */
export function batches(db: Knex, size: number): Share {
  const share = gather<Write, unknown>({
    take: (waiting) => takeSome(waiting, size),
    run: async (writes) =>
      writes.length > 1 ? runTogether(db, writes) : void (await Promise.all(writes.map(runAlone))),
  })
  return <Call, Answer>(kind: Kind<Call, Answer>, call: Call) =>
    size === 1 ? kind.alone(call) : (share({ kind: kind as Write['kind'], call }) as Promise<Answer>)
}

/** The first ones that have nothing in common; whoever stays behind is not overtaken by a later one of the same key. */
function takeSome(waiting: Writes, size: number): Writes {
  const taken: Writes = []
  const left: Writes = []
  const keys = new Set<string>()
  let bytes = 0
  for (const write of waiting) {
    const { kind, call } = write.call
    const own = kind.keys(call)
    const sum = bytes + kind.bytes(call)
    const fits = taken.length === 0 || (taken.length < size && sum <= MOST_BYTES)
    if (fits && !own.some((key) => keys.has(key))) {
      taken.push(write)
      bytes = sum
    } else left.push(write)
    for (const key of own) keys.add(key)
  }
  waiting.splice(0, waiting.length, ...left)
  return taken
}

async function runTogether(db: Knex, writes: Writes): Promise<void> {
  let isDone = false
  try {
    const answers = await db.transaction(async (tx) => {
      const all = await answerAll(tx, writes)
      isDone = true
      return all
    })
    for (const [write, answer] of answers) {
      if (answer === ALONE) void runAlone(write)
      else write.answer(answer)
    }
  } catch (error) {
    // A commit that fails otherwise than by a lost race may have happened: running again could do it twice.
    if (isDone && !isLostRace(error)) for (const { answer } of writes) answer(Promise.reject(error))
    else for (const write of writes) void runAlone(write)
  }
}

async function answerAll(tx: Knex.Transaction, writes: Writes): Promise<Map<Writes[number], unknown>> {
  const ids = writes.map(({ call: { kind, call } }) => kind.secretId(call)).filter((id) => id !== null)
  const locked = await lock(tx, ids)
  const answers = new Map<Writes[number], unknown>()
  for (const kind of new Set(writes.map(({ call }) => call.kind))) {
    const alike = writes.filter(({ call }) => call.kind === kind)
    const answered = await kind.together(
      { tx, locked },
      alike.map(({ call }) => call.call),
    )
    for (const [index, write] of alike.entries()) answers.set(write, answered[index])
  }
  return answers
}

const runAlone = (write: Writes[number]): Promise<void> => answered(write, write.call.kind.alone(write.call.call))
