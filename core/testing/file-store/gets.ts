import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { FileStore } from '../../contracts/file-store.js'
import { aKey, contentOf, endlessBody, forEach, MIB, put } from './blobs.js'

/** More readers than a store has connections or open files, so that a leak exhausts them. */
const ABORTED = 600

export function getContract(files: FileStore): void {
  test('get fails with file.not_found for an unknown and a deleted blob', async () => {
    const key = aKey()
    await expect(files.get(key)).rejects.toMatchObject({ name: 'AppError', code: 'file.not_found' })
    await put(files, key, Buffer.from('☃'))
    await files.delete(key)
    await expect(files.get(key)).rejects.toMatchObject({ name: 'AppError', code: 'file.not_found' })
  })

  test('concurrent readers get the same bytes', async () => {
    const key = aKey()
    const bytes = randomBytes(MIB + 1)
    await put(files, key, bytes)
    await forEach(Array.from({ length: 32 }), async () => {
      expect(bytes.equals(await contentOf(files, key))).toBe(true)
    })
  })

  test('a reader gets the whole blob while it is replaced or deleted', async () => {
    const key = aKey()
    const bytes = randomBytes(4 * MIB)
    for (const change of [() => files.delete(key), () => put(files, key, Buffer.from('new ☃'))]) {
      await put(files, key, bytes)
      const reading = (await files.get(key)).iterator()
      const seen: Buffer[] = [(await reading.next()).value]
      await change()
      for await (const chunk of reading) seen.push(chunk)
      expect(bytes.equals(Buffer.concat(seen))).toBe(true)
    }
  })

  test('get does not read ahead for a paused reader', async () => {
    const key = aKey()
    const size = 64 * MIB
    await files.put(key, endlessBody(size), size)
    const before = process.memoryUsage().arrayBuffers
    const stream = await files.get(key)
    await once(stream, 'readable')
    await setTimeout(500)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MIB)
    let seen = 0
    for await (const chunk of stream) seen += chunk.length
    expect(seen).toBe(size)
  })

  test('destroyed readers release their resources', async () => {
    const key = aKey()
    const bytes = randomBytes(MIB)
    await put(files, key, bytes)
    await forEach(
      Array.from({ length: ABORTED }, (_, index) => index),
      async (index) => {
        const stream = await files.get(key)
        if (index % 2 === 0) await once(stream, 'readable')
        stream.destroy()
        await once(stream, 'close')
      },
    )
    expect(bytes.equals(await contentOf(files, key))).toBe(true)
  })
}
