import { expect, test } from 'vitest'
import { lateBound } from './late-bound.js'

class Counter {
  constructor(private count: number) {}
  add(more: number): number {
    this.count += more
    return this.count
  }
}

test('a method belongs to the object at the time of the call', () => {
  let current = new Counter(1)
  const bound = lateBound(() => current)
  expect(bound.add(1)).toBe(2)
  current = new Counter(40)
  expect(bound.add(2)).toBe(42)
})

test('a missing method throws', () => {
  const bound = lateBound(() => ({}) as Counter)
  expect(() => bound.add(1)).toThrow(TypeError)
})
