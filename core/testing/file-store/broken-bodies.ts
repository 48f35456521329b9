import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { FileStore } from '../../contracts/file-store.js'
import { aKey, bodyOf, contentOf, failingBody, keysOf, MIB, put } from './blobs.js'

const SIZE = 3 * MIB
/** The error of a broken socket, which looks like an error of the store itself. */
const failure = Object.assign(new Error('the sender went away'), { code: 'ECONNRESET', syscall: 'read' })
const notAsSaid = expect.objectContaining({ code: 'request.invalid' })

interface Broken {
  name: string
  body(): Readable
  size?: number
  error: unknown
}

const BROKEN: Broken[] = [
  { name: 'fails at once', body: () => failingBody(Buffer.alloc(0), failure), error: failure },
  { name: 'fails midway', body: () => failingBody(randomBytes(SIZE / 2), failure), error: failure },
  { name: 'fails where it should end', body: () => failingBody(randomBytes(SIZE), failure), error: failure },
  { name: 'was destroyed before', body: () => bodyOf(randomBytes(SIZE)).destroy(), error: expect.any(Error) },
  { name: 'is empty', body: () => bodyOf(Buffer.alloc(0)), error: notAsSaid },
  { name: 'is one byte short', body: () => bodyOf(randomBytes(SIZE - 1)), error: notAsSaid },
  { name: 'is one byte long', body: () => bodyOf(randomBytes(SIZE + 1)), error: notAsSaid },
  { name: 'goes on where it should have ended', body: () => hesitantBody(SIZE), error: notAsSaid },
  { name: 'is far too long', body: () => bodyOf(randomBytes(SIZE + 2 * MIB)), error: notAsSaid },
  { name: 'should be empty', body: () => bodyOf(Buffer.from('☃')), size: 0, error: notAsSaid },
]

export function brokenBodyContract(files: FileStore): void {
  describe.each(BROKEN)('$name', ({ body, size = SIZE, error }) => {
    test('stores nothing under a new key', async () => {
      const key = aKey()
      expect(await outcomeOf(files.put(key, body(), size))).toEqual(error)
      await expect(files.get(key)).rejects.toMatchObject({ code: 'file.not_found' })
      expect(await keysOf(files)).toEqual([])
    })

    test('keeps the old blob', async () => {
      const key = aKey()
      await put(files, key, Buffer.from('before ☃'))
      expect(await outcomeOf(files.put(key, body(), size))).toEqual(error)
      expect(`${await contentOf(files, key)}`).toBe('before ☃')
      expect(await keysOf(files)).toEqual([key])
    })
  })

  test('put rejects when the sender disconnects while the store waits for data', async () => {
    const key = aKey()
    const body = bodyOf(randomBytes(SIZE)).pause()
    const putting = files.put(key, body, SIZE + 1)
    body.once('data', () => body.destroy(failure))
    expect(await outcomeOf(putting)).toBeInstanceOf(Error)
    await expect(files.get(key)).rejects.toMatchObject({ code: 'file.not_found' })
  })

  test('put does not destroy the body, because the response uses its connection', async () => {
    const body = bodyOf(randomBytes(SIZE + 2 * MIB))
    await outcomeOf(files.put(aKey(), body, SIZE))
    expect(body.destroyed).toBe(false)
  })
}

const outcomeOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => 'stored',
    (error) => error,
  )

/** `size` bytes, then one more byte after a delay, in which a store that does not wait for the end would store them. */
function hesitantBody(size: number): Readable {
  async function* hesitating() {
    yield* bodyOf(randomBytes(size))
    await setTimeout(500)
    yield Buffer.from('!')
  }
  return Readable.from(hesitating(), { objectMode: false })
}
