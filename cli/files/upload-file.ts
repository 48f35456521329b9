/** Encrypts a file while it is sent. No part is held in memory as a whole. */
import type { FileHandle } from 'node:fs/promises'
import type { Client } from '#shared/client/client'
import { sendParts, type Uploaded, type UploadPartsOptions } from '#shared/client/upload'
import {
  type Digest,
  encryptedPartLength,
  encryptPartStream,
  newFileKey,
  PART_SIZE,
  partLength,
} from '#shared/crypto/parts'
import { createNodeDigest } from './node-digest.js'

/** Size of a read. Each one is a task of the thread pool, which costs more than the bytes. */
const CHUNK_BYTES = 256 * 1024

/** Uploads `size` bytes of a file. Throws RangeError when the file has become shorter, or what `sendParts` throws. */
export async function uploadFile(
  client: Client,
  file: FileHandle,
  size: number,
  options: UploadPartsOptions,
): Promise<Uploaded> {
  const fileKey = newFileKey()
  const digest = createNodeDigest()
  const count = createPartHasher(file, size, digest)
  // fetch reports a failed stream as a broken connection. The retry throws the real error.
  let failure: unknown = null
  const part = async (index: number) => {
    if (failure) throw failure
    await count(index)
    const length = partLength(size, index)
    // The cipher copies a chunk before it reads the next one, so one buffer is enough.
    const buffer = new Uint8Array(CHUNK_BYTES)
    const plain = createPullStream(
      readChunks(file, index * PART_SIZE, length, () => buffer),
      (error) => {
        failure = error
      },
    )
    return { stream: await encryptPartStream(fileKey, index, plain), length: encryptedPartLength(length) }
  }
  const sent = await sendParts(client, { size, part }, options)
  return { ...sent, size, key: Buffer.from(fileKey).toString('base64url'), sha256: await digest.hex() }
}

/** Returns a function that hashes a part. Parts are sent in parallel but hashed in order, so each is read a second time. */
function createPartHasher(file: FileHandle, size: number, digest: Digest): (index: number) => Promise<void> {
  let counted = 0
  let before = Promise.resolve()
  const count = async (index: number) => {
    if (index !== counted) return
    const buffer = new Uint8Array(CHUNK_BYTES)
    const all = readChunks(file, index * PART_SIZE, partLength(size, index), () => buffer)
    for await (const piece of all) await digest.update(piece)
    counted += 1
  }
  return (index) => {
    before = before.then(() => count(index))
    return before
  }
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
