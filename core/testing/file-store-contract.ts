/** Tests of the requirements in core/contracts/file-store.ts. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FileStore } from '../contracts/file-store.js'
import { aKey, bodyOf, contentOf, put } from './file-store/blobs.js'
import { brokenBodyContract } from './file-store/broken-bodies.js'
import { getContract } from './file-store/gets.js'
import { listContract } from './file-store/lists.js'
import { putContract } from './file-store/puts.js'
import { lateBound } from './lib/late-bound.js'

/** Returns an empty file store that shares nothing with others: see `openFileStore`. */
type Open = () => Promise<{ files: FileStore; close(): Promise<void> }>

/** Invalid keys. Some would lead outside the store as a path or an object name. */
const NO_KEYS = [
  ['', 'a', 'a'.repeat(31), 'a'.repeat(33), 'A'.repeat(32), '..', '../../../../../../../../etc/passwd'],
  [`${'a'.repeat(32)}\n`, `${'a'.repeat(31)}/`, `/${'a'.repeat(31)}`, `${'a'.repeat(31)}\0`, `../${'a'.repeat(29)}`],
  [`${'a'.repeat(31)}☃`, `${'a'.repeat(31)}.`, `${'a'.repeat(31)} `, '%2e%2e%2f'.repeat(4).slice(0, 32)],
].flat()

/** Call it in a test file of your plugin, under vitest: `fileStoreContract(() => openFileStore(plugin))`. */
export function fileStoreContract(open: Open): void {
  let opened: Awaited<ReturnType<Open>>
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())
  const files = lateBound(() => opened.files)

  describe('put', () => putContract(files))
  describe('put with an invalid body', () => brokenBodyContract(files))
  describe('get', () => getContract(files))
  describe('list, delete and deleteUnfinished', () => listContract(files))

  test('ping succeeds', () => files.ping())

  test.each(NO_KEYS)('every method refuses the key %j and changes nothing', async (key) => {
    const body = bodyOf(Buffer.from('☃'))
    await expect(files.put(key, body, 3)).rejects.toThrow()
    expect(body.readableDidRead).toBe(false)
    await expect(files.get(key)).rejects.not.toMatchObject({ code: 'file.not_found' })
    await expect(files.delete(key)).rejects.toThrow()
  })

  test('two stores do not share blobs', async () => {
    const other = await open()
    try {
      const key = aKey()
      await put(files, key, Buffer.from('this ☃'))
      await expect(other.files.get(key)).rejects.toMatchObject({ code: 'file.not_found' })
      await put(other.files, key, Buffer.from('that ☃'))
      await other.files.delete(key)
      expect(`${await contentOf(files, key)}`).toBe('this ☃')
    } finally {
      await other.close()
    }
  })
}
