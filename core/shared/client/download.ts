/** Downloads a file part by part: decrypts each part, writes them in order, and retries after a lost connection. */

import type { Download } from '../api/index.js'
import { DecryptError } from '../crypto/age.js'
import { digestOfParts, hashPart } from '../crypto/file-digest.js'
import { decryptPart, encryptedPartLength, PART_SIZE, partCount, partLength } from '../crypto/parts.js'
import type { Client } from './client.js'
import { withRetry } from './retry.js'
import { type TransferOptions, withRetryTime } from './upload.js'
import type { AttachedFile } from './viewed-content.js'

/** Request for one part. */
export type PartRequest = Download & { part: number }

/** Fetches and processes parts. `Part`: any representation of a fetched part. */
export interface Receiver<Part> {
  /**
   * Fetches a part of `length` plaintext bytes. Called again after a lost connection, and while `handle` processes the
   * previous part.
   */
  fetch(request: PartRequest, length: number): Promise<Part>
  /**
   * Decrypts and writes part `index`. Called in order. Returns the hash of the plaintext; null for a file that is not
   * encrypted.
   */
  handle(part: Part, index: number): Promise<Uint8Array | null>
}

/**
 * Downloads a file to `write`, in order. Resolves after the whole file is written and its hash is verified; until then
 * the written bytes must not be used. `secretId`: as in the view, for a raw secret with its key. Throws DecryptError,
 * ApiError (`file.not_found` after the download period), NetworkError, or the reason of the signal.
 */
export async function download(
  client: Client,
  secretId: string,
  file: AttachedFile,
  write: (bytes: Uint8Array) => void | Promise<void>,
  options: TransferOptions = {},
): Promise<void> {
  const { signal } = options
  const { size, sealed } = file
  const bufferFor = twoBuffers()
  await receiveParts(secretId, file, withRetryTime(client, options), {
    fetch: (request, length) =>
      fetchPart(client, request, bufferFor(request.part, sealed ? encryptedPartLength(length) : length), signal),
    async handle(fetched, index) {
      const bytes = sealed ? await decryptPart(sealed.key, index, fetched, partLength(size, index)) : fetched
      const [hash] = await Promise.all([sealed && hashPart(bytes), write(bytes)])
      return hash
    },
  })
}

/**
 * Reads one stored part into `buffer` and returns the filled slice. Throws DecryptError `hostile` for a larger part,
 * ApiError or NetworkError.
 */
export async function fetchPart(
  client: Pick<Client, 'download'>,
  request: PartRequest,
  buffer: Uint8Array,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const fetched = await client.download(request, buffer, signal)
  if (!fetched) throw new DecryptError('hostile', 'a part of this file has a wrong length')
  return fetched
}

/** Downloads a file with a custom receiver. Throws as `download`, and the errors of the receiver. */
export async function receiveParts<Part>(
  secretId: string,
  { size, sealed, ticket }: AttachedFile,
  options: TransferOptions,
  { fetch, handle }: Receiver<Part>,
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
  const hashes: Uint8Array[] = []
  let next = fetchPart(0, 0)
  for (let index = 0; index < parts; index++) {
    const fetched = await next
    // Fetches the next part while this one is processed. An error of it is thrown in the next iteration.
    if (index + 1 < parts) next = fetchPart(index + 1, index)
    next.catch(() => {})
    const hash = await handle(fetched, index)
    if (hash) hashes.push(hash)
    report(index + 1, false)
  }
  const digest = digestOfParts(hashes)
  if (sealed && digest !== sealed.digest) {
    throw new DecryptError('hostile', 'the file differs from the description of its sender')
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
