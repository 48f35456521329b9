import { expect, test } from 'vitest'
import { isOpen, isUsedUp, viewsLeft } from './secret-state.js'

test.each([
  [{ maxViews: 2, views: 0, preventBurn: false }, 2],
  [{ maxViews: 2, views: 2, preventBurn: false }, 0],
  [{ maxViews: 2, views: 3, preventBurn: false }, 0],
  [{ maxViews: 2, views: 3, preventBurn: true }, null],
  [{ maxViews: null, views: 3, preventBurn: false }, null],
])('viewsLeft(%o) is %o', (secret, left) => {
  expect(viewsLeft(secret)).toBe(left)
  expect(isUsedUp(secret)).toBe(left === 0)
})

test('a secret is open until it expires or its last view is used', () => {
  const secret = { maxViews: 1, views: 0, preventBurn: false, expiresAt: 1000 }
  expect(isOpen(secret, 999)).toBe(true)
  expect(isOpen(secret, 1000)).toBe(false)
  expect(isOpen({ ...secret, views: 1 }, 999)).toBe(false)
})
