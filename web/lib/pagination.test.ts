import { expect, test } from 'vitest'
import { loadListPage } from './pagination.js'

const ALL = Array.from({ length: 101 }, (_, index) => index)

test.each([
  ['', { items: ALL.slice(0, 50), before: null, next: 50 }],
  ['?skip=50', { items: ALL.slice(50, 100), before: 0, next: 100 }],
  ['?skip=51', { items: ALL.slice(51, 101), before: 1, next: null }],
  ['?skip=30', { items: ALL.slice(30, 80), before: 0, next: 80 }],
  ['?skip=-1', { items: ALL.slice(0, 50), before: null, next: 50 }],
  ['?skip=1e9', { items: ALL.slice(0, 50), before: null, next: 50 }],
  ['?skip=1000', { items: [], before: 950, next: null }],
])('loadListPage loads the page at %s', async (query, page) => {
  const list = async ({ skip, take }: { skip: number; take: number }) => ALL.slice(skip, skip + take)
  expect(await loadListPage(new Request(`https://example.org/public${query}`), list)).toEqual(page)
})
