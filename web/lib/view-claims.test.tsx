import { beforeEach, expect, test, vi } from 'vitest'
import { readClaim, removeClaim, storeClaim, type ViewClaim } from './view-claims.js'

const MINUTE = 60_000
const NOW = 1_800_000_000_000
const CLAIM: ViewClaim = { claim: 'A'.repeat(22), since: NOW, meta: null }

/** As the storage of a browser: its items are its own properties. */
function stubStorage(): Record<string, string> {
  const items: Record<string, string> = {}
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem(key: string, value: string) {
      items[key] = value
    },
    removeItem(key: string) {
      delete items[key]
    },
  }
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(items, name, { value })
  vi.stubGlobal('sessionStorage', items)
  return items
}

let items: Record<string, string>
beforeEach(() => {
  items = stubStorage()
  return () => vi.unstubAllGlobals()
})

test('readClaim returns a stored claim until its period ends, and then removes it', () => {
  expect(storeClaim('secret-é', CLAIM)).toBe(true)
  expect(readClaim('secret-é', MINUTE, NOW + MINUTE - 1)).toEqual(CLAIM)
  expect(readClaim('secret-é', MINUTE, NOW + MINUTE)).toBe(null)
  expect(Object.keys(items)).toEqual([])
})

test('readClaim removes claims of other secrets that are over, and nothing else', () => {
  storeClaim('old', { ...CLAIM, since: NOW - MINUTE })
  storeClaim('new', CLAIM)
  items.theme = 'dark'
  expect(readClaim('other', MINUTE, NOW)).toBe(null)
  expect(Object.keys(items)).toEqual(['view-claim:new', 'theme'])
})

test('readClaim returns null without a period, after the clock was set back, and for a damaged item', () => {
  for (const [periodMs, now, item] of [
    [0, NOW, JSON.stringify(CLAIM)],
    [MINUTE, NOW - 1, JSON.stringify(CLAIM)],
    [MINUTE, NOW, '{'],
    [MINUTE, NOW, '{"claim":1}'],
    [MINUTE, NOW, 'null'],
  ] as const) {
    items['view-claim:x'] = item
    expect(readClaim('x', periodMs, now)).toBe(null)
    expect(Object.keys(items)).toEqual([])
  }
})

test('storeClaim stores nothing of the key of a raw secret', () => {
  storeClaim('lookup~key', CLAIM)
  expect(JSON.stringify(items)).not.toContain('key')
  expect(readClaim('lookup~key', MINUTE, NOW)).toEqual(CLAIM)
  removeClaim('lookup~key')
  expect(Object.keys(items)).toEqual([])
})

test('blocked storage stores nothing and throws nothing', () => {
  vi.stubGlobal('sessionStorage', undefined)
  expect(storeClaim('x', CLAIM)).toBe(false)
  expect(readClaim('x', MINUTE, NOW)).toBe(null)
  expect(() => removeClaim('x')).not.toThrow()
})
