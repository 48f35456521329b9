/** Events reach the outbox once and in order, also while several processes move and store them. */
import { setTimeout as sleep } from 'node:timers/promises'
import knex, { type Knex } from 'knex'
import { afterEach, describe, expect, test } from 'vitest'
import type { OutboxEvent } from '#core'
import { anEvent, T0 } from '#core/testing'
import { acquireDatabase } from '#test/databases'
import { describeEachEngine, needsOf } from '#test/for-each-engine'
import { insertEvents } from '../queries/new-events.js'
import { toOutboxRow } from '../rows/outbox-rows.js'
import { moveNewEvents } from './move-new-events.js'

const LANES = 12
const CHANGES = 40
const SUBSCRIBERS = ['eins', 'zwei']
const CLIENTS = { postgres: 'pg', mysql: 'mysql2' }
/** Longer than a statement that does not wait, and shorter than a wait for a lock. */
const SOON_MS = 1500

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A migrated database, and two storages on it, with separate connections. */
async function openTwice(engine: Parameters<typeof acquireDatabase>[0]) {
  const database = await acquireDatabase(engine)
  closing.push(database.drop)
  const opened = [await database.open(), await database.open()] as const
  closing.push(...opened.map(({ close }) => close))
  await opened[0].storage.migrate()
  return { database, one: opened[0].storage, two: opened[1].storage }
}

describeEachEngine((engine) => {
  test('storages that move and store events at the same time do not lose, repeat or reorder events', async () => {
    const { database, one, two } = await openTwice(engine)
    let running = LANES
    const stored = new Map<string, string[]>()
    /** The changes of one subject follow each other, in different processes. */
    const store = async (_: unknown, lane: number) => {
      const subject = `secret:${lane}`
      const ids: string[] = []
      for (let change = 0; change < CHANGES; change++) {
        const events = SUBSCRIBERS.map((subscriber) => anEvent({ subject, subscriber }))
        await ((lane + change) % 2 === 0 ? one : two).outbox.append(events)
        ids.push(...events.map(({ id }) => id))
      }
      stored.set(subject, ids)
      running--
    }
    const move = async ({ outbox }: typeof one) => {
      while (running > 0) await outbox.listDue('none', T0, 1)
    }
    await Promise.all([...Array.from({ length: LANES }, store), move(one), move(two), move(one), move(two)])
    await one.outbox.listDue('none', T0, 1)
    const rows: { id: string; subject: string }[] = await database.db('outbox').orderBy('seq').select('id', 'subject')
    for (const [subject, ids] of stored)
      expect(rows.filter((row) => row.subject === subject).map(({ id }) => id)).toEqual(ids)
    expect(rows).toHaveLength(LANES * CHANGES * SUBSCRIBERS.length)
    expect(await database.db('new_events').select()).toEqual([])
  })
})

/** A pool without timeouts, so that the test detects a wait. */
async function openPool(engine: 'postgres' | 'mysql'): Promise<Knex> {
  const { database } = await openTwice(engine)
  const db = knex({ client: CLIENTS[engine], connection: database.options.url ?? '', pool: { min: 0, max: 8 } })
  closing.push(() => db.destroy())
  return db
}

/** Rejects when it takes longer than a statement that does not wait for a lock. */
const soon = <T>(work: Promise<T>): Promise<T> => {
  const late = sleep(SOON_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('it waits for a lock')))
  return Promise.race([work, late])
}

/** A transaction that ends with the test. */
async function begin(db: Knex): Promise<Knex.Transaction> {
  const tx = await db.transaction()
  closing.push(async () => tx.isCompleted() || tx.rollback())
  return tx
}

/** An open transaction with these new events. */
async function beginChange(db: Knex, events: OutboxEvent[]): Promise<Knex.Transaction> {
  const tx = await begin(db)
  await insertEvents(tx, events)
  return tx
}

/** An open transaction that stops a move before it adds this event to the outbox. */
async function stopMove(db: Knex, event: OutboxEvent): Promise<Knex.Transaction> {
  const tx = await begin(db)
  await tx('outbox').insert(toOutboxRow(event))
  return tx
}

const idsOf = (db: Knex): Promise<string[]> => db('outbox').orderBy('seq').pluck('id')

for (const engine of ['postgres', 'mysql'] as const) {
  describe(`on ${engine}`, needsOf(engine), () => {
    test('a move does not wait for a change that is not committed, and the next one moves it', async () => {
      const db = await openPool(engine)
      const late = anEvent()
      // Enough rows that MariaDB would prefer to read the whole table.
      const early = Array.from({ length: 50 }, () => anEvent())
      const change = await beginChange(db, [late])
      await insertEvents(db, early)
      await soon(moveNewEvents(db))
      expect(await idsOf(db)).toEqual(early.map(({ id }) => id))
      await change.commit()
      await moveNewEvents(db)
      expect(await idsOf(db)).toEqual([...early, late].map(({ id }) => id))
    })

    test('changes that commit while a move runs do not wait for it, and stay for the next one', async () => {
      const db = await openPool(engine)
      const [before, moved, after] = [anEvent(), anEvent(), anEvent()]
      // Its number is smaller than the number of the moved event.
      const change = await beginChange(db, [before])
      await insertEvents(db, [moved])
      const stopped = await stopMove(db, moved)
      const moving = moveNewEvents(db)
      await sleep(300)
      await soon(change.commit())
      await soon(insertEvents(db, [after]))
      expect(await db('new_events').select('seq')).toHaveLength(3)
      await stopped.rollback()
      await moving
      expect(await idsOf(db)).toEqual([moved.id])
      await moveNewEvents(db)
      expect(await idsOf(db)).toEqual([moved.id, before.id, after.id])
    })

    test('a second move waits for the first move, also when it finds an earlier change', async () => {
      const db = await openPool(engine)
      const [before, moved] = [anEvent(), anEvent({ subject: 'a' })]
      const change = await beginChange(db, [before])
      await insertEvents(db, [moved])
      const stopped = await stopMove(db, moved)
      const moving = [moveNewEvents(db)]
      await sleep(300)
      await change.commit()
      const next = anEvent({ subject: 'a' })
      await insertEvents(db, [next])
      moving.push(moveNewEvents(db))
      await sleep(300)
      await stopped.rollback()
      await Promise.all(moving)
      expect(await idsOf(db)).toEqual([moved.id, before.id, next.id])
    })
  })
}

describe('on sqlite, whose processes have one lock for all writes', () => {
  const BATCHES = 10
  const BATCH_SIZE = 200
  const PAUSE_MS = 600
  const pauseUntil = (db: Knex, time: number) => db('leases').where({ name: 'new-events' }).update({ ends_at: time })

  test('a process can write between the batches that others move', async () => {
    const { database, one, two } = await openTwice('sqlite')
    const three = await database.open()
    closing.push(three.close)
    const changes = Array.from({ length: BATCHES * BATCH_SIZE }, (_, at) =>
      SUBSCRIBERS.map((subscriber) => anEvent({ subject: `secret:${at}`, subscriber })),
    )
    await one.outbox.append(changes.flat())
    /** Numbers of changes that were left to move after a write. */
    const left = new Set<number>()
    const countLeft = async () => Number((await database.db('new_events').count({ count: '*' }).first())?.count)
    let isMoving = true
    const write = async () => {
      while (isMoving) {
        await one.leases.acquire({ name: 'a', holder: 'b', until: T0, now: T0 })
        left.add(await countLeft())
      }
    }
    const writing = write()
    const move = async ({ outbox }: typeof one) => {
      while ((await countLeft()) > 0) await outbox.listDue('none', T0, 1)
    }
    await Promise.all([move(two), move(three.storage)])
    isMoving = false
    await writing
    expect(left.size).toBeGreaterThanOrEqual(BATCHES)
  })

  test('a move waits for the pause after a batch of another process', async () => {
    const { database, one, two } = await openTwice('sqlite')
    await one.outbox.append([anEvent()])
    await one.outbox.listDue('none', T0, 1)
    await pauseUntil(database.db, Date.now() + PAUSE_MS)
    await two.outbox.append([anEvent()])
    const started = performance.now()
    await two.outbox.listDue('none', T0, 1)
    expect(performance.now() - started).toBeGreaterThan(PAUSE_MS / 2)
    expect(await idsOf(database.db)).toHaveLength(2)
  })

  test('a pause that ends in an hour comes from a wrong clock, and moves do not wait for it', async () => {
    const { database, one } = await openTwice('sqlite')
    await one.outbox.append([anEvent()])
    await one.outbox.listDue('none', T0, 1)
    await pauseUntil(database.db, Date.now() + 60 * 60_000)
    await one.outbox.append([anEvent()])
    await one.outbox.listDue('none', T0, 1)
    expect(await idsOf(database.db)).toHaveLength(2)
  })
})
