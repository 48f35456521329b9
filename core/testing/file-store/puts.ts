import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { FileStore } from '../../contracts/file-store.js'
import { aKey, contentOf, forEach, keysOf, MIB, put } from './blobs.js'

const ROUNDS = 10

export function putContract(files: FileStore): void {
  test.each([0, 1, 65_536, 65_537, 3 * MIB - 1, 8 * MIB, 8 * MIB + 13])(
    'get returns the %i bytes that put stored',
    async (size) => {
      const key = aKey()
      const bytes = randomBytes(size)
      await put(files, key, bytes)
      expect(bytes.equals(await contentOf(files, key))).toBe(true)
      expect(await keysOf(files)).toEqual([key])
    },
  )

  test('put replaces a blob, also with a shorter one', async () => {
    const key = aKey()
    for (const text of ['first ☃', 'second, which is longer 鍵', '3', '']) {
      await put(files, key, Buffer.from(text))
      expect(`${await contentOf(files, key)}`).toBe(text)
    }
    expect(await keysOf(files)).toEqual([key])
  })

  test('one of two concurrent puts wins completely', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const key = aKey()
      const bodies = [randomBytes(MIB + round), randomBytes(MIB / 2)]
      await Promise.all(bodies.map((bytes) => put(files, key, bytes)))
      const winner = await contentOf(files, key)
      expect(bodies.filter((bytes) => bytes.equals(winner))).toHaveLength(1)
    }
  })

  test('a reader during a put gets the old or the new blob', async () => {
    const key = aKey()
    const versions = Array.from({ length: 6 }, (_, index) => Buffer.alloc(MIB + index, index))
    await put(files, key, versions[0] as Buffer)
    let isOver = false
    const writing = (async () => {
      for (const bytes of versions) await put(files, key, bytes)
      isOver = true
    })()
    while (!isOver) {
      const seen = await contentOf(files, key)
      expect(versions.some((bytes) => bytes.equals(seen))).toBe(true)
    }
    await writing
  })

  test('concurrent puts do not mix their bytes', async () => {
    const blobs = Array.from({ length: 48 }, (_, index) => ({ key: aKey(), bytes: randomBytes(40_000 + index) }))
    await forEach(blobs, ({ key, bytes }) => put(files, key, bytes))
    await forEach(blobs, async ({ key, bytes }) => {
      expect(bytes.equals(await contentOf(files, key))).toBe(true)
    })
    expect(await keysOf(files)).toEqual(blobs.map(({ key }) => key).sort())
  })
}
