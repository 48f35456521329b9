/** What every file store needs to keep its contract: keys that cannot be paths, and bodies held to their size. */
import type { Readable } from 'node:stream'
import { AppError } from './errors.js'

const KEY = /^[a-z0-9]{32}(?![\s\S])/

/** True for 32 characters of [a-z0-9] and nothing else. */
export const isBlobKey = (key: string): boolean => KEY.test(key)

/** Throws RangeError, which is nobody's fault but core's, for what is no key. */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new RangeError('the key of a blob is 32 characters of [a-z0-9]')
}

/**
 * The chunks of `body`, the last one only once it is certain that there were exactly `size` bytes: whoever passes them
 * on has never passed on all of a body that is not right. Throws AppError `request.invalid` for another length, and the
 * body's own error. Never destroys `body`.
 */
export async function* exactly(body: Readable, size: number): AsyncGenerator<Buffer, void, void> {
  let seen = 0
  let held: Buffer | null = null
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    seen += chunk.length
    if (seen > size) break
    if (held) yield held
    held = chunk.length > 0 ? chunk : null
  }
  if (seen !== size) throw new AppError('request.invalid', { message: 'The body is not as long as was said.' })
  if (held) yield held
}
