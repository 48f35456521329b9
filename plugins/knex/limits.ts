/**
 * Counters in the database, so that every process counts the same. Takes that wait at the same moment share one
 * transaction, in as many statements as one of them; the locks on the rows make them exact.
 */
import type { Knex } from 'knex'
import { type Counter, type LimitStore, type Take, type Taken, takeFrom } from '#core'
import { isDuplicate, isLostRace } from './errors.js'
import { gather, type Waiting } from './gather.js'

/** Most counters in one transaction. */
const COUNTERS = 250

interface Asked {
  takes: Take[]
  /** Epoch ms. */
  now: number
}

/** `size`: most calls in one transaction. */
export function limitStore(db: Knex, size: number): LimitStore {
  const share = gather<Asked, Taken[]>({
    take: (waiting) => takeSome(waiting, size),
    async run(waiting) {
      const all = takeAll(
        db,
        waiting.map(({ call }) => call),
      )
      for (const [index, { answer }] of waiting.entries()) answer(all.then((each) => each[index] as Taken[]))
      await Promise.allSettled([all])
    },
  })
  return {
    take: (takes, now) => share({ takes, now }),

    async reset(names) {
      await db('limits').whereIn('name', names).delete()
    },

    async sweep(now, limit) {
      const ended = db('limits').where('ends_at', '<=', now)
      const names = await ended.clone().orderBy('ends_at').limit(limit).pluck('name')
      return names.length === 0 ? 0 : ended.whereIn('name', names).delete()
    },
  }
}

function takeSome(waiting: Waiting<Asked, Taken[]>[], size: number): Waiting<Asked, Taken[]>[] {
  let counters = 0
  const fits = waiting.findIndex(({ call }, at) => {
    counters += call.takes.length
    return at > 0 && (at >= size || counters > COUNTERS)
  })
  return waiting.splice(0, fits === -1 ? waiting.length : fits)
}

async function takeAll(db: Knex, asked: Asked[]): Promise<Taken[][]> {
  const take = () => db.transaction((tx) => takeTogether(tx, asked))
  try {
    return await take()
  } catch (error) {
    if (!isDuplicate(error) && !isLostRace(error)) throw error
    // Others made one of the counters meanwhile, or one beside it: with all of them there, nobody is in the way.
    const rows = namesOf(asked).map((name) => ({ name, used: 0, ends_at: 0 }))
    await db('limits').insert(rows).onConflict('name').ignore()
    return take()
  }
}

async function takeTogether(tx: Knex.Transaction, asked: Asked[]): Promise<Taken[][]> {
  const rows = await tx('limits').whereIn('name', namesOf(asked)).orderBy('name').forUpdate()
  const counters = new Map<string, Counter>(
    rows.map(({ name, used, ends_at }) => [name, { used: Number(used), endsAt: Number(ends_at) }]),
  )
  const stored = new Set(counters.keys())
  const changed = new Set<string>()
  const takeOne = (take: Take, now: number): Taken => {
    const { taken, after } = takeFrom(counters.get(take.name), take, now)
    if (!after) return taken
    changed.add(take.name)
    counters.set(take.name, after)
    return taken
  }
  const taken = asked.map(({ takes, now }) => takes.map((take) => takeOne(take, now)))
  const rowsOf = (isStored: boolean) =>
    [...changed]
      .filter((name) => stored.has(name) === isStored)
      .map((name) => ({ name, used: counters.get(name)?.used, ends_at: counters.get(name)?.endsAt }))
  if (rowsOf(false).length > 0) await tx('limits').insert(rowsOf(false))
  if (rowsOf(true).length > 0) await tx('limits').insert(rowsOf(true)).onConflict('name').merge()
  return taken
}

const namesOf = (asked: Asked[]): string[] =>
  [...new Set(asked.flatMap(({ takes }) => takes.map(({ name }) => name)))].sort()
