import { expect, test } from 'vitest'
import { MINUTE } from '../lib/fixtures.js'
import { aKey, contentOf, forEach, keysOf, put } from './blobs.js'
import type { CurrentFiles } from './current-file-store.js'

/** More blobs than one page of a store with paged lists. */
const MANY = 1_200

export function listContract(current: CurrentFiles): void {
  test('an empty store lists nothing', async () => {
    expect(await keysOf(current())).toEqual([])
  })

  test(`list returns each of ${MANY} blobs once during concurrent changes`, async () => {
    const keys = Array.from({ length: MANY }, aKey)
    await forEach(keys, (key) => put(current(), key, Buffer.from('☃')), 32)
    expect(await keysOf(current())).toEqual([...keys].sort())
    const leaving = keys.slice(0, 20)
    const coming = Array.from({ length: 20 }, aKey)
    const seen: string[] = []
    for await (const { key } of current().list()) {
      seen.push(key)
      if (seen.length !== 1) continue
      await forEach(leaving, (each) => current().delete(each))
      await forEach(coming, (each) => put(current(), each, Buffer.from('new ☃')))
    }
    const sometimes = new Set([...leaving, ...coming])
    expect(seen.filter((key) => !sometimes.has(key)).sort()).toEqual(keys.slice(20).sort())
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('list returns the time of the put', async () => {
    await put(current(), aKey(), Buffer.from('☃'))
    for await (const { modifiedAt } of current().list()) {
      expect(Math.abs(modifiedAt - Date.now())).toBeLessThan(MINUTE)
    }
  })

  test('delete removes one blob and succeeds twice', async () => {
    const [gone, kept] = [aKey(), aKey()]
    await put(current(), gone, Buffer.from('gone ☃'))
    await put(current(), kept, Buffer.from('kept ☃'))
    await current().delete(gone)
    await current().delete(gone)
    await current().delete(aKey())
    expect(await keysOf(current())).toEqual([kept])
    expect(`${await contentOf(current(), kept)}`).toBe('kept ☃')
  })

  test('deleteUnfinished keeps complete blobs of any age', async () => {
    const key = aKey()
    await put(current(), key, Buffer.from('☃'))
    await current().deleteUnfinished(Date.now() + 60 * MINUTE)
    expect(`${await contentOf(current(), key)}`).toBe('☃')
  })
}
