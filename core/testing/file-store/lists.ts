import { expect, test } from 'vitest'
import type { FileStore } from '../../contracts/file-store.js'
import { MINUTE } from '../lib/fixtures.js'
import { aKey, contentOf, forEach, keysOf, put } from './blobs.js'

/** More blobs than one page of a store with paged lists. */
const MANY = 1_200

export function listContract(files: FileStore): void {
  test('an empty store lists nothing', async () => {
    expect(await keysOf(files)).toEqual([])
  })

  test(`list returns each of ${MANY} blobs once during concurrent changes`, async () => {
    const keys = Array.from({ length: MANY }, aKey)
    await forEach(keys, (key) => put(files, key, Buffer.from('☃')), 32)
    expect(await keysOf(files)).toEqual([...keys].sort())
    const leaving = keys.slice(0, 20)
    const coming = Array.from({ length: 20 }, aKey)
    const seen: string[] = []
    for await (const { key } of files.list()) {
      seen.push(key)
      if (seen.length !== 1) continue
      await forEach(leaving, (each) => files.delete(each))
      await forEach(coming, (each) => put(files, each, Buffer.from('new ☃')))
    }
    const sometimes = new Set([...leaving, ...coming])
    expect(seen.filter((key) => !sometimes.has(key)).sort()).toEqual(keys.slice(20).sort())
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('list returns the time of the put', async () => {
    await put(files, aKey(), Buffer.from('☃'))
    for await (const { modifiedAt } of files.list()) {
      expect(Math.abs(modifiedAt - Date.now())).toBeLessThan(MINUTE)
    }
  })

  test('delete removes one blob and succeeds twice', async () => {
    const [gone, kept] = [aKey(), aKey()]
    await put(files, gone, Buffer.from('gone ☃'))
    await put(files, kept, Buffer.from('kept ☃'))
    await files.delete(gone)
    await files.delete(gone)
    await files.delete(aKey())
    expect(await keysOf(files)).toEqual([kept])
    expect(`${await contentOf(files, kept)}`).toBe('kept ☃')
  })

  test('deleteUnfinished keeps complete blobs of any age', async () => {
    const key = aKey()
    await put(files, key, Buffer.from('☃'))
    await files.deleteUnfinished(Date.now() + 60 * MINUTE)
    expect(`${await contentOf(files, key)}`).toBe('☃')
  })
}
