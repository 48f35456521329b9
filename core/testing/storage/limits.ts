import { expect, test } from 'vitest'
import type { ConsumeRequest, LimitStore } from '../../contracts/limits.js'
import { aHash, MINUTE, T0 } from '../lib/fixtures.js'
import { count, race } from './race.js'

const aTake = (differing: Partial<ConsumeRequest> = {}): ConsumeRequest => ({
  name: aHash(),
  points: 1,
  limit: 3,
  windowMs: MINUTE,
  ...differing,
})

/** `isSelfCleaning`: windows end by themselves, so `deleteExpired` has nothing to do. */
export function limitContract(limits: LimitStore, isSelfCleaning = () => false): void {
  const taking = async (take: ConsumeRequest, now: number) => (await limits.consume([take], now))[0]

  test('consume grants up to the limit of a window', async () => {
    const take = aTake()
    for (const used of [1, 2, 3]) expect(await taking(take, T0)).toEqual({ granted: true, used, endsAt: T0 + MINUTE })
    expect(await taking(take, T0 + MINUTE - 1)).toEqual({ granted: false, used: 3, endsAt: T0 + MINUTE })
    // A window starts with a request, not at a fixed time.
    expect(await taking(take, T0 + MINUTE + 7)).toEqual({ granted: true, used: 1, endsAt: T0 + 2 * MINUTE + 7 })
  })

  test('consume grants nothing when fewer points are left than requested', async () => {
    const take = aTake({ limit: 2 ** 40 })
    expect(await taking({ ...take, points: 2 ** 40 - 1 }, T0)).toMatchObject({ granted: true })
    expect(await taking({ ...take, points: 2 }, T0)).toMatchObject({ granted: false, used: 2 ** 40 - 1 })
    expect(await taking(take, T0)).toMatchObject({ granted: true, used: 2 ** 40 })
  })

  test('consume of more than the limit starts no window', async () => {
    const take = aTake({ points: 4 })
    expect(await taking(take, T0)).toEqual({ granted: false, used: 0, endsAt: T0 })
  })

  test('consume of 0 points reads the counter and starts no window', async () => {
    const take = aTake()
    const ask = { ...take, points: 0 }
    expect(await taking(ask, T0)).toEqual({ granted: true, used: 0, endsAt: T0 })
    await taking(take, T0 + 5)
    expect(await taking(ask, T0 + 7)).toEqual({ granted: true, used: 1, endsAt: T0 + 5 + MINUTE })
    expect(await taking(ask, T0 + 5 + MINUTE)).toEqual({ granted: true, used: 0, endsAt: T0 + 5 + MINUTE })
  })

  test('requests are independent and applied in order', async () => {
    const [one, other] = [aTake({ limit: 1 }), aTake()]
    const results = await limits.consume([one, other, one, other], T0)
    expect(results.map(({ granted, used }) => [granted, used])).toEqual([
      [true, 1],
      [true, 1],
      [false, 1],
      [true, 2],
    ])
    expect(await limits.consume([], T0)).toEqual([])
  })

  test('a changed limit applies to the open window', async () => {
    const take = aTake()
    for (let n = 0; n < 3; n++) await taking(take, T0)
    expect(await taking({ ...take, limit: 2 }, T0)).toMatchObject({ granted: false, used: 3 })
    expect(await taking({ ...take, limit: 4 }, T0)).toMatchObject({ granted: true, used: 4 })
  })

  test('concurrent requests never exceed the limit', async () => {
    const shared = aTake({ limit: 30 })
    const results = await race(200, (racer) =>
      limits.consume(racer % 3 === 0 ? [aTake(), shared] : [shared], T0 + racer),
    )
    const taken = results.map((each) => each.at(-1))
    expect(count(taken, (each) => each?.granted === true)).toBe(30)
    const used = taken.flatMap((each) => (each?.granted ? each.used : []))
    expect(used.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    expect(results.filter((each) => each.length === 2).every(([own]) => own?.used === 1)).toBe(true)
  })

  test('reset ends the windows of the given counters', async () => {
    const [one, other] = [aTake(), aTake()]
    await limits.consume([one, one, other], T0)
    await limits.reset([one.name, aHash()])
    expect(await taking(one, T0 + 1)).toEqual({ granted: true, used: 1, endsAt: T0 + 1 + MINUTE })
    expect(await taking(other, T0 + 1)).toMatchObject({ used: 2 })
    await limits.reset([])
  })

  test('deleteExpired deletes up to limit ended windows', async () => {
    const ending = Array.from({ length: 5 }, () => aTake())
    const open = aTake({ windowMs: 2 * MINUTE })
    await limits.consume([...ending, open], T0)
    expect(await limits.deleteExpired(T0 + MINUTE - 1, 10)).toBe(0)
    expect(await limits.deleteExpired(T0 + MINUTE, 3)).toBe(isSelfCleaning() ? 0 : 3)
    expect(await limits.deleteExpired(T0 + MINUTE, 3)).toBe(isSelfCleaning() ? 0 : 2)
    expect(await limits.deleteExpired(T0 + MINUTE, 3)).toBe(0)
    expect(await taking(open, T0 + MINUTE)).toMatchObject({ used: 2 })
  })
}
