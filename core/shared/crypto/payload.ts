/**
 * The payload of an age file (STREAM): chunks of 64 KiB, each encrypted by itself. The nonce of a chunk is its number
 * in 11 bytes, big endian, and a byte that is 1 for the last chunk.
 */
import type { Cipher } from './portable-cipher.js'

const CHUNK_SIZE = 64 * 1024
const TAG_SIZE = 16

/** Returns the encrypted chunks in order. A native cipher works on several at a time. */
export function encryptPayload({ encrypt }: Cipher, plaintext: Uint8Array): Promise<Uint8Array[]> {
  const chunks = splitChunks(plaintext, CHUNK_SIZE)
  return Promise.all(chunks.map((chunk, index) => encrypt(nonceOf(index, index === chunks.length - 1), chunk)))
}

/** Throws, or rejects, if a chunk is not authentic or missing, or if an empty last chunk follows other chunks. */
export async function decryptPayload({ decrypt }: Cipher, payload: Uint8Array): Promise<Uint8Array> {
  const chunks = splitChunks(payload, CHUNK_SIZE + TAG_SIZE)
  const plaintext = new Uint8Array(Math.max(0, payload.length - TAG_SIZE * chunks.length))
  const decryptChunk = async (chunk: Uint8Array, index: number) => {
    if (index > 0 && chunk.length <= TAG_SIZE) throw new RangeError('the last chunk is empty')
    plaintext.set(await decrypt(nonceOf(index, index === chunks.length - 1), chunk), index * CHUNK_SIZE)
  }
  await Promise.all(chunks.map(decryptChunk))
  return plaintext
}

/** Encrypts a stream of bytes to a stream of chunks. Does not keep the buffers that it reads. */
export function encryptingStream({ encrypt }: Cipher): TransformStream<Uint8Array, Uint8Array> {
  const chunk = new Uint8Array(CHUNK_SIZE)
  let filled = 0
  let index = 0
  return new TransformStream({
    async transform(bytes, controller) {
      for (let at = 0; at < bytes.length; ) {
        // The next chunk shows that this chunk is not the last one.
        if (filled === CHUNK_SIZE) {
          controller.enqueue(await encrypt(nonceOf(index++, false), chunk))
          filled = 0
        }
        const some = bytes.subarray(at, at + CHUNK_SIZE - filled)
        chunk.set(some, filled)
        filled += some.length
        at += some.length
      }
    },
    async flush(controller) {
      controller.enqueue(await encrypt(nonceOf(index, true), chunk.subarray(0, filled)))
    },
  })
}

/** At least one chunk, which may be empty. */
function splitChunks(bytes: Uint8Array, size: number): Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / size))
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

/** The upper bytes of the number stay 0: files have fewer than 2^32 chunks. */
function nonceOf(index: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(12)
  new DataView(nonce.buffer).setUint32(7, index)
  nonce[11] = isLast ? 1 : 0
  return nonce
}
