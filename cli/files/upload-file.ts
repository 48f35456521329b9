/** Encrypts and hashes a file while it is sent. No part is held in memory as a whole. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Client } from '#shared/client/client'
import { type PartToPut, type Uploaded, type UploadPartsOptions, uploadWithKey } from '#shared/client/upload'
import { encryptedPartLength, encryptPartStream, PART_SIZE, partLength } from '#shared/crypto/parts'

/** Size of a read. Each one is a task of the thread pool, which costs more than the bytes. */
const CHUNK_BYTES = 256 * 1024

/** Uploads `size` bytes of a file. Throws RangeError when the file has become shorter, or what `upload` throws. */
export function uploadFile(
  client: Client,
  file: FileHandle,
  size: number,
  options: UploadPartsOptions,
): Promise<Uploaded> {
  // fetch reports a failed stream as a broken connection. The retry throws the real error.
  let failure: unknown = null
  const putPart = async ({ sent, index, fileKey, onHash }: PartToPut) => {
    if (failure) throw failure
    const length = partLength(size, index)
    // The cipher copies a chunk before it reads the next one, so one buffer is enough.
    const buffer = new Uint8Array(CHUNK_BYTES)
    const chunks = readChunks(file, index * PART_SIZE, length, () => buffer)
    const plain = createPullStream(hashChunks(chunks, onHash), (error) => {
      failure = error
    })
    const stream = await encryptPartStream(fileKey, index, plain)
    await client.putPart(sent, index, { stream, length: encryptedPartLength(length) }, options.signal)
  }
  return uploadWithKey(client, size, putPart, options)
}

/** Passes chunks on, and calls `end` with the SHA-256 of all of them. */
async function* hashChunks(chunks: AsyncIterable<Uint8Array>, end: (hash: Uint8Array) => void) {
  const hash = createHash('sha256')
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  end(hash.digest())
}

/** Streams `length` bytes of a file from offset `at`. */
export const streamFileRange = (file: FileHandle, at: number, length: number): ReadableStream<Uint8Array> =>
  createPullStream(readChunks(file, at, length, () => new Uint8Array(CHUNK_BYTES)))

/** `getBuffer` returns the buffer of the next chunk. Throws RangeError when the file ends early. */
async function* readChunks(file: FileHandle, at: number, length: number, getBuffer: () => Uint8Array) {
  for (let done = 0; done < length; ) {
    const { bytesRead, buffer } = await file.read(getBuffer(), 0, Math.min(CHUNK_BYTES, length - done), at + done)
    if (bytesRead === 0) throw new RangeError('the file is shorter than it was')
    yield buffer.subarray(0, bytesRead)
    done += bytesRead
  }
}

/** Creates a stream that reads on demand only. */
function createPullStream(source: AsyncGenerator<Uint8Array>, fail = (_: unknown) => {}): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await source.next().catch((error) => {
          fail(error)
          throw error
        })
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await source.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
