import { createReadStream } from 'node:fs'
import { readHead } from './read-head.js'

/** Returns the content of a file, or null when it is longer than `maxBytes`. Throws the system error. */
export async function readBoundedFile(path: string, maxBytes: number): Promise<Buffer | null> {
  const stream = createReadStream(path, { end: maxBytes })
  try {
    const { bytes } = await readHead(stream, maxBytes)
    return bytes.length > maxBytes ? null : bytes
  } finally {
    stream.destroy()
  }
}
