import { expect, test } from 'vitest'
import type { DayCount } from '../../contracts/stats.js'
import type { Storage } from '../../contracts/storage.js'

const one = (day: string, name: string, count = 1): DayCount => ({ day, name, count })
const sorted = (counts: DayCount[]) => counts.map(({ day, name, count }) => `${day} ${name} ${count}`).sort()

export function statsContract({ stats }: Storage): void {
  test('add sums counts by day and name', async () => {
    expect(await stats.listSince('0000-00-00')).toEqual([])
    await stats.add([one('2026-01-01', 'created', 2), one('2026-01-01', 'viewed')])
    await stats.add([one('2026-01-01', 'created', 3), one('2026-01-02', 'created')])
    await stats.add([])
    expect(sorted(await stats.listSince('2026-01-01'))).toEqual([
      '2026-01-01 created 5',
      '2026-01-01 viewed 1',
      '2026-01-02 created 1',
    ])
  })

  test('listSince returns only the requested days', async () => {
    await stats.add([one('2025-12-31', 'created'), one('2026-01-01', 'created'), one('2026-01-10', 'created')])
    expect((await stats.listSince('2026-01-01')).map(({ day }) => day).sort()).toEqual(['2026-01-01', '2026-01-10'])
  })

  test('deleteBefore deletes older days only', async () => {
    await stats.add([one('2025-12-31', 'created'), one('2026-01-01', 'created')])
    await stats.deleteBefore('2026-01-01')
    expect(sorted(await stats.listSince('0000-00-00'))).toEqual(['2026-01-01 created 1'])
  })

  test('concurrent adds lose nothing', async () => {
    const names = ['created', 'viewed', 'burned']
    // In different orders, as independent processes would.
    const orders = Array.from({ length: 20 }, (_, index) => (index % 2 ? [...names].reverse() : names))
    await Promise.all(orders.map((order) => stats.add(order.map((name) => one('2026-01-01', name, 2)))))
    expect(sorted(await stats.listSince('2026-01-01'))).toEqual(names.map((name) => `2026-01-01 ${name} 40`).sort())
  })
}
