import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { blurCount } from './blur-counts.js'

const KEYS = Array.from({ length: 4000 }, (_, index) => Buffer.alloc(32, `key ${index}`))

/** Share of the keys, so of the noise, that gives each result. */
function distribution(count: number): Map<number | null, number> {
  const shares = new Map<number | null, number>()
  for (const key of KEYS) {
    const shown = blurCount(count, '2026-01-01 created', key)
    shares.set(shown, (shares.get(shown) ?? 0) + 1 / KEYS.length)
  }
  return shares
}

test('a result does not reveal whether another person added one event to five own events', () => {
  for (const own of [1, 5, 6, 7, 12, 40]) {
    const [without, withOther] = [distribution(own), distribution(own + 1)]
    for (const shown of new Set([...without.keys(), ...withOther.keys()])) {
      const [a, b] = [without.get(shown) ?? 0, withOther.get(shown) ?? 0]
      // Rare results are not measured with 4,000 keys.
      if (Math.max(a, b) < 0.02) continue
      expect(a / b, `${own}: ${shown}`).toBeGreaterThan(0.45)
      expect(a / b, `${own}: ${shown}`).toBeLessThan(2.2)
    }
  }
})

test('a count is a multiple of five near the real one, and the same for every request', () => {
  const key = randomBytes(32)
  for (let count = 1; count < 200; count++) {
    const shown = blurCount(count, 'day', key)
    expect(blurCount(count, 'day', key)).toBe(shown)
    expect((shown ?? 0) % 5).toBe(0)
    expect(Math.abs((shown ?? 0) - count)).toBeLessThan(20)
  }
})

test('counts of different days, names and instances have different noise, and 0 has none', () => {
  const shown = (label: string, key = KEYS[0] as Buffer) =>
    [22, 23, 24, 25, 26].map((count) => blurCount(count, label, key)).join()
  const labels = Array.from({ length: 50 }, (_, index) => `day ${index}`)
  expect(new Set(labels.map((label) => shown(label))).size).toBeGreaterThan(3)
  expect(new Set(KEYS.slice(0, 50).map((key) => shown('day', key))).size).toBeGreaterThan(3)
  for (const key of KEYS.slice(0, 50)) expect(blurCount(0, 'day', key)).toBe(0)
})
