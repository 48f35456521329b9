/** A file that is read and sealed while it is sent: no part of it is ever held as a whole. */
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
import { nodeDigest } from './digest.js'

/** Bytes that are read at once. */
const PIECE = 64 * 1024

/** Sends `size` bytes of a file. Throws RangeError when it has become shorter, and as `sendParts`. */
export async function sendFile(
  client: Client,
  file: FileHandle,
  size: number,
  options: UploadPartsOptions,
): Promise<Uploaded> {
  const fileKey = newFileKey()
  const digest = nodeDigest()
  const count = counter(file, size, digest)
  // A stream that fails while it is sent looks like a broken connection: what it was is told when it is asked for again.
  let failure: unknown = null
  const part = async (index: number) => {
    if (failure) throw failure
    await count(index)
    const length = partLength(size, index)
    // Sealing has copied a piece before it asks for the next one.
    const again = new Uint8Array(PIECE)
    const plain = streamOf(
      pieces(file, index * PART_SIZE, length, () => again),
      (error) => {
        failure = error
      },
    )
    return { stream: await encryptPartStream(fileKey, index, plain), length: encryptedPartLength(length) }
  }
  const sent = await sendParts(client, { size, part }, options)
  return { ...sent, size, key: Buffer.from(fileKey).toString('base64url'), sha256: await digest.hex() }
}

/** Parts are sent at the same time and counted one after another, so each is read once more for that. */
function counter(file: FileHandle, size: number, digest: Digest): (index: number) => Promise<void> {
  let counted = 0
  let before = Promise.resolve()
  const count = async (index: number) => {
    if (index !== counted) return
    const again = new Uint8Array(PIECE)
    const all = pieces(file, index * PART_SIZE, partLength(size, index), () => again)
    for await (const piece of all) await digest.update(piece)
    counted += 1
  }
  return (index) => {
    before = before.then(() => count(index))
    return before
  }
}

/** Bytes of a file from `at` on, as a stream. */
export const fileStream = (file: FileHandle, at: number, length: number): ReadableStream<Uint8Array> =>
  streamOf(pieces(file, at, length, () => new Uint8Array(PIECE)))

/** `room`: where the next piece is read into. Throws RangeError when the file ends before. */
async function* pieces(file: FileHandle, at: number, length: number, room: () => Uint8Array) {
  for (let done = 0; done < length; ) {
    const { bytesRead, buffer } = await file.read(room(), 0, Math.min(PIECE, length - done), at + done)
    if (bytesRead === 0) throw new RangeError('the file is shorter than it was')
    yield buffer.subarray(0, bytesRead)
    done += bytesRead
  }
}

/** Reads when it is asked and not ahead. */
function streamOf(source: AsyncGenerator<Uint8Array>, fail = (_: unknown) => {}): ReadableStream<Uint8Array> {
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
