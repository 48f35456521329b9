/** Reads the beginning of a stream. */
import type { Readable } from 'node:stream'

/** The first bytes of a stream. `rest` is null at its end. */
export interface StreamHead {
  bytes: Buffer
  rest: AsyncIterable<Buffer> | null
}

/** Resolves at the end of the stream, or as soon as more than `maxBytes` bytes arrived. */
export function readHead(stream: Readable, maxBytes: number): Promise<StreamHead> {
  const chunks: Buffer[] = []
  let length = 0
  // `for await` would hang: inquirer leaves the terminal paused.
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= maxBytes) return
      stream.pause()
      stream.off('data', take)
      resolve({ bytes: Buffer.concat(chunks), rest: stream })
    }
    stream.on('data', take)
    stream.once('end', () => resolve({ bytes: Buffer.concat(chunks), rest: null }))
    stream.once('error', reject)
    stream.resume()
  })
}

/** Puts the head back in front of the rest. */
export async function* joinStream(head: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield head
  yield* rest
}
