/** Checks that every file store needs: keys that cannot be paths, and bodies of the declared size. */
import type { Readable } from 'node:stream'
import { AppError } from './errors.js'

const KEY = /^[a-z0-9]{32}(?![\s\S])/

/** True for 32 characters of [a-z0-9] and nothing else. */
export const isBlobKey = (key: string): boolean => KEY.test(key)

/** Throws RangeError for an invalid key, which is a bug in core. */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new RangeError('a blob key must have 32 characters of [a-z0-9]')
}

/**
 * Yields the chunks of `body`. The last one is held back until the body has ended with exactly `size` bytes, so that a
 * consumer never receives all of a wrong body. Throws AppError `request.invalid` for another length, or the error of
 * the body. Never destroys `body`.
 */
export async function* assertStreamLength(body: Readable, size: number): AsyncGenerator<Buffer, void, void> {
  let received = 0
  let lastChunk: Buffer | null = null
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += chunk.length
    if (received > size) break
    if (lastChunk) yield lastChunk
    lastChunk = chunk.length > 0 ? chunk : null
  }
  if (received !== size)
    throw new AppError('request.invalid', { message: 'The body does not have the declared length.' })
  if (lastChunk) yield lastChunk
}
