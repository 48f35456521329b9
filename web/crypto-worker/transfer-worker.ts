/**
 * Web worker that reads, encrypts and uploads parts of files, or downloads and decrypts them. It returns blobs, because bytes
 * that a page reads or sends stay in its memory for long.
 */
import { makeZip } from 'client-zip'
import { createClient, type UploadId } from '#shared/client/client'
import type { PartRequest } from '#shared/client/download'
import { DecryptError } from '#shared/crypto/age'
import { type DigestState, decryptPart, encryptedPartLength, encryptPartStream, newDigest } from '#shared/crypto/parts'
import { readChunks } from './blob-chunks.js'
import { reportProgress, serveJobs } from './rpc-server.js'
import { xhrFetch } from './xhr-fetch.js'

/** `server`: as for `createClient`. */
interface PartToSend {
  server: string
  upload: UploadId
  index: number
  fileKey: Uint8Array
  bytes: Blob
}

/** `length`: of the plaintext. `fileKey`: null for a file that is not encrypted. */
interface PartToFetch {
  server: string
  call: PartRequest
  length: number
  fileKey: Uint8Array | null
}

const jobs = {
  /** Reports the number of sent bytes. Throws ApiError, NetworkError or UnreadableError. */
  async sendPart({ server, upload, index, fileKey, bytes }: PartToSend): Promise<void> {
    const sealed = await encryptToBlob(fileKey, index, bytes)
    const onSent = (sent: number) => reportProgress(Math.floor((sent / sealed.size) * bytes.size))
    await createClient({ server, fetch: xhrFetch(onSent) }).putPart(upload, index, sealed)
  },

  /** Throws ApiError, NetworkError or DecryptError. */
  async fetchPart({ server, call, length, fileKey }: PartToFetch): Promise<Blob> {
    const room = new Uint8Array(fileKey ? encryptedPartLength(length) : length)
    const fetched = await createClient({ server }).download(call, room)
    if (!fetched) throw new DecryptError('hostile', 'a part of this file has a wrong length')
    const bytes = fileKey ? await decryptPart(fileKey, call.part, fetched, length) : fetched
    return waitUntilStored(new Blob([bytes as Uint8Array<ArrayBuffer>]))
  },

  /** Continues a digest with the state of the previous job. Throws UnreadableError. */
  async digest(bytes: Blob, before?: DigestState): Promise<DigestState> {
    const { state, update } = newDigest(before)
    try {
      for await (const piece of readChunks(bytes)) await update(piece)
    } catch (cause) {
      throw unreadableError({ cause })
    }
    return state
  },
  digestHex: async (state?: DigestState): Promise<string> => newDigest(state).hex(),

  /** Uncompressed. */
  zip: (files: { name: string; input: Blob }[]): Promise<Blob> => new Response(makeZip(files)).blob(),
}

export type TransferJobs = typeof jobs

serveJobs(jobs)

async function encryptToBlob(fileKey: Uint8Array, index: number, bytes: Blob): Promise<Blob> {
  try {
    const sealed = await new Response(await encryptPartStream(fileKey, index, bytes.stream())).blob()
    if (sealed.size === encryptedPartLength(bytes.size)) return sealed
  } catch (cause) {
    throw unreadableError({ cause })
  }
  throw unreadableError()
}

/**
 * Waits until the browser process has the whole blob. If the worker ended before, reading the blob would never finish.
 */
async function waitUntilStored(blob: Blob): Promise<Blob> {
  await blob.slice(-1).arrayBuffer()
  return blob
}

const unreadableError = (options?: ErrorOptions) =>
  Object.assign(new Error('a file cannot be read', options), { name: 'UnreadableError' })
