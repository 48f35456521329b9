/** Reads a file from a stream, part by part. */
import type { FileSource } from '../client/upload.js'
import { PART_SIZE } from '../crypto/parts.js'

/** A stream or iterable of bytes, read once. */
export type ByteChunks = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * Returns a source whose parts stay in memory until they are stored. `read` throws RangeError if the stream is shorter
 * or longer than `size`, and the error of the stream.
 */
export function createStreamSource(chunks: ByteChunks, size: number): FileSource {
  const parts = new Map<number, Promise<Uint8Array>>()
  const readBytes = createByteReader(chunks)
  let last: Promise<unknown> = Promise.resolve()
  let end = 0
  return {
    size,
    read(start, until) {
      const known = parts.get(start)
      if (known) return known
      if (start !== end) return Promise.reject(new RangeError('the server lost a part of a stream'))
      end = until
      const part = last.then(() => readBytes(until - start, until === size))
      last = part
      parts.set(start, part)
      return part
    },
    release: (index) => void parts.delete(index * PART_SIZE),
  }
}

/** Returns a function that reads exactly `length` bytes, and with `isLast` nothing more may follow. */
function createByteReader(chunks: ByteChunks) {
  const next = createChunkReader(chunks)
  let rest = new Uint8Array()
  return async (length: number, isLast: boolean): Promise<Uint8Array> => {
    const part = new Uint8Array(length)
    for (let filled = 0; filled < length; ) {
      if (rest.length === 0) rest = (await next()) ?? fail('the stream is shorter than its size')
      const taken = rest.subarray(0, length - filled)
      part.set(taken, filled)
      filled += taken.length
      rest = rest.subarray(taken.length)
    }
    while (isLast && rest.length === 0) {
      const chunk = await next()
      if (chunk === null) return part
      rest = chunk
    }
    return isLast ? fail('the stream is longer than its size') : part
  }
}

/** Returns a function that resolves to the next chunk; null at the end. Some browsers cannot iterate over a stream. */
function createChunkReader(chunks: ByteChunks): () => Promise<Uint8Array<ArrayBuffer> | null> {
  const read =
    'getReader' in chunks
      ? (
          (reader) => () =>
            reader.read()
        )(chunks.getReader())
      : (
          (iterator) => () =>
            iterator.next()
        )(chunks[Symbol.asyncIterator]())
  return async () => {
    const { done, value } = await read()
    return done ? null : (value as Uint8Array<ArrayBuffer>)
  }
}

function fail(message: string): never {
  throw new RangeError(message)
}
