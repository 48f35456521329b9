/** Reading a stream that may be longer than what is wanted. */
import type { Readable } from 'node:stream'

/** The beginning of a stream. `rest` is null when that is all. */
export interface StreamHead {
  bytes: Buffer
  rest: AsyncIterable<Buffer> | null
}

/** Resolves at the end, or as soon as there are more than `maxBytes`. */
export function readHead(stream: Readable, maxBytes: number): Promise<StreamHead> {
  const chunks: Buffer[] = []
  let length = 0
  // Not `for await`: inquirer leaves the terminal paused, and that would wait for ever.
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
