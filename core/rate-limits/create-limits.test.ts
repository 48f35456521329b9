import { expect, test } from 'vitest'
import { anonymous } from '../contracts/auth-context.js'
import { noLog } from '../lib/log.js'
import { createLimits } from './create-limits.js'
import { createLocalCounters } from './local-store.js'

const MINUTE = 60_000

/** `isOff`: without rate limits. */
function start({ isOff = false } = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const marks = createLocalCounters()
  const create = () =>
    createLimits({
      counters: isOff ? null : marks,
      marks,
      stored: marks,
      key: Buffer.alloc(32, 1),
      factor: 1,
      audit: { note: async () => {} },
      emit: async () => {},
      log: noLog,
      now: () => clock.now,
    })
  return { clock, limits: create(), otherProcess: create() }
}

test.each([false, true])(
  'takeOnce is true for one process and once in its time, with limits off: %s',
  async (isOff) => {
    const { clock, limits, otherProcess } = start({ isOff })
    const take = (name: string) =>
      Promise.all([limits, otherProcess].map(({ takeOnce }) => takeOnce('mark', name, MINUTE))).then((taken) =>
        taken.sort(),
      )
    expect(await take('one')).toEqual([false, true])
    expect(await take('one')).toEqual([false, false])
    expect(await take('other')).toEqual([false, true])
    clock.now += MINUTE
    expect(await take('one')).toEqual([false, true])
  },
)

test('the own counters of a process count apart from the shared counters and from the counters of another process', async () => {
  const { limits, otherProcess } = start()
  const caller = anonymous('203.0.113.1')
  for (let n = 0; n < 10; n++) await limits.own.consume('sign-in', caller)
  await expect(limits.own.consume('sign-in', caller)).rejects.toMatchObject({ code: 'limit.reached' })
  for (const each of [limits, otherProcess.own])
    expect(await each.tryConsume('sign-in', caller)).toMatchObject({ left: 9 })
})
