/** Downloads a file part by part: decrypts each part, writes them in order, and retries after a lost connection. */

import type { Download } from '../api/index.js'
import { DecryptError } from '../crypto/age.js'
import {
  type Digest,
  decryptPart,
  encryptedPartLength,
  newDigest,
  PART_SIZE,
  partCount,
  partLength,
} from '../crypto/parts.js'
import type { AttachedFile } from './attached-files.js'
import type { Client } from './client.js'
import { withRetry } from './retry.js'
import type { TransferOptions } from './upload.js'

export interface DownloadOptions extends TransferOptions {
  /** Replaces the SHA-256 in JavaScript by a faster one. */
  digest?: Digest
}

/** Request for one part. */
export type PartRequest = Download & { part: number }

/** Fetches and processes parts. `Part`: whatever represents a fetched part. */
export interface Receiver<Part> {
  /** Fetches a part of `length` plaintext bytes. Called again after a lost connection, and while `handle` processes the previous part. */
  fetch(request: PartRequest, length: number): Promise<Part>
  /** Decrypts, hashes and writes part `index`. Called in order. */
  handle(part: Part, index: number): Promise<void>
  /** SHA-256 of all parts so far, as hex. */
  hex(): string | Promise<string>
}

/**
 * Downloads a file to `write`, in order. Resolves after the whole file is written and its hash is verified; until then the
 * written bytes must not be used. `secretId`: as in the view, for a raw secret with its key.
 * Throws DecryptError, ApiError (`file.not_found` after the download period), NetworkError, or the reason of the signal.
 */
export async function download(
  client: Client,
  secretId: string,
  file: AttachedFile,
  write: (bytes: Uint8Array) => void | Promise<void>,
  options: DownloadOptions = {},
): Promise<void> {
  const { digest = newDigest(), signal } = options
  const { size, sealed } = file
  const bufferFor = twoBuffers()
  await receiveParts(secretId, file, options, {
    async fetch(request, length) {
      const buffer = bufferFor(request.part, sealed ? encryptedPartLength(length) : length)
      const fetched = await client.download(request, buffer, signal)
      if (!fetched) throw new DecryptError('hostile', 'a part of this file has a wrong length')
      return fetched
    },
    async handle(fetched, index) {
      const bytes = sealed ? await decryptPart(sealed.key, index, fetched, partLength(size, index)) : fetched
      if (sealed) await digest.update(bytes)
      await write(bytes)
    },
    hex: () => digest.hex(),
  })
}

/** The same with a custom receiver. Throws as `download`, and what the receiver throws. */
export async function receiveParts<Part>(
  secretId: string,
  { size, sealed, ticket }: AttachedFile,
  options: TransferOptions,
  { fetch, handle, hex }: Receiver<Part>,
): Promise<void> {
  if (ticket === null) throw new DecryptError('hostile', 'the server does not list this file')
  const parts = sealed ? partCount(size) : 1
  const bytesBefore = (index: number) => (index === parts ? size : index * PART_SIZE)
  const report = (index: number, isWaiting: boolean) =>
    options.onProgress?.({ done: bytesBefore(index), total: size, isWaiting })
  const fetchPart = (part: number, taken: number) => {
    const length = sealed ? partLength(size, part) : size
    const request = { key: ticket, secretId, part }
    return withRetry(() => fetch(request, length), { ...options, onWait: () => report(taken, true) })
  }
  let next = fetchPart(0, 0)
  for (let index = 0; index < parts; index++) {
    const fetched = await next
    // Fetches the next part while this one is processed. An error of it is thrown in the next iteration.
    if (index + 1 < parts) next = fetchPart(index + 1, index)
    next.catch(() => {})
    await handle(fetched, index)
    report(index + 1, false)
  }
  if (sealed && (await hex()) !== sealed.sha256) {
    throw new DecryptError('hostile', 'the file is not what its sender described')
  }
}

/** Reuses two buffers: one part is decrypted while the next one is fetched. */
function twoBuffers(): (index: number, length: number) => Uint8Array {
  const buffers: Uint8Array[] = []
  return (index, length) => {
    const previous = buffers[index % 2]
    const buffer = previous && previous.length >= length ? previous : new Uint8Array(length)
    buffers[index % 2] = buffer
    return buffer.subarray(0, length)
  }
}
