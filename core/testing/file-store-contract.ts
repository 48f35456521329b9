/** The laws of core/contracts/file-store.ts as tests. A file store proves itself by passing them all; there is no way to skip one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FileStore } from '../contracts/file-store.js'
import { aKey, bodyOf, contentOf, put } from './file-store/blobs.js'
import { brokenBodyLaws } from './file-store/broken-bodies.js'
import { getLaws } from './file-store/gets.js'
import { listLaws } from './file-store/lists.js'
import { putLaws } from './file-store/puts.js'

/** Answers a file store that is empty and shares nothing with any other: see `openFileStore`. */
type Open = () => Promise<{ files: FileStore; close(): Promise<void> }>

/** No key, and some of them would lead elsewhere as a path or as the name of an object. */
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
  const current = () => opened.files

  describe('put', () => putLaws(current))
  describe('put of a body that is not right', () => brokenBodyLaws(current))
  describe('get', () => getLaws(current))
  describe('list, delete and tidy', () => listLaws(current))

  test('it answers a ping', () => current().ping())

  test.each(NO_KEYS)('%j is refused as a key, and nothing is touched', async (key) => {
    const body = bodyOf(Buffer.from('☃'))
    await expect(current().put(key, body, 3)).rejects.toThrow()
    expect(body.readableDidRead).toBe(false)
    await expect(current().get(key)).rejects.not.toMatchObject({ code: 'file.not_found' })
    await expect(current().delete(key)).rejects.toThrow()
  })

  test('another one shares nothing with it', async () => {
    const other = await open()
    try {
      const key = aKey()
      await put(current(), key, Buffer.from('this ☃'))
      await expect(other.files.get(key)).rejects.toMatchObject({ code: 'file.not_found' })
      await put(other.files, key, Buffer.from('that ☃'))
      await other.files.delete(key)
      expect(`${await contentOf(current(), key)}`).toBe('this ☃')
    } finally {
      await other.close()
    }
  })
}
