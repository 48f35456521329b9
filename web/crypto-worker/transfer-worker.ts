/**
 * Web worker that reads, encrypts and uploads parts of files, or downloads and decrypts them. It returns blobs, because
 * bytes that a page reads or sends stay in its memory for long.
 */
import { makeZip } from 'client-zip'
import { createClient, type UploadId } from '#shared/client/client'
import { fetchPart, type PartRequest } from '#shared/client/download'
import { hashPart } from '#shared/crypto/file-digest'
import { decryptPart, encryptedPartLength, encryptPart } from '#shared/crypto/parts'
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

export interface FetchedPart {
  blob: Blob
  hash: Uint8Array | null
}

const jobs = {
  /**
   * Reports the number of sent bytes. Returns the hash of the plaintext. Throws ApiError, NetworkError or
   * UnreadableError.
   */
  async sendPart({ server, upload, index, fileKey, bytes }: PartToSend): Promise<Uint8Array> {
    const plain = await readBlob(bytes)
    const hash = await hashPart(plain)
    const sealed = new Blob([(await encryptPart(fileKey, index, plain)) as Uint8Array<ArrayBuffer>])
    const onSent = (sent: number) => reportProgress(Math.floor((sent / sealed.size) * bytes.size))
    await createClient({ server, fetch: xhrFetch(onSent) }).putPart(upload, index, sealed)
    return hash
  },

  /**
   * Returns the plaintext and its hash, null for a file that is not encrypted. Throws ApiError, NetworkError or
   * DecryptError.
   */
  async fetchPart({ server, call, length, fileKey }: PartToFetch): Promise<FetchedPart> {
    const room = new Uint8Array(fileKey ? encryptedPartLength(length) : length)
    const fetched = await fetchPart(createClient({ server }), call, room)
    const bytes = fileKey ? await decryptPart(fileKey, call.part, fetched, length) : fetched
    const hash = fileKey && (await hashPart(bytes))
    return { blob: await waitUntilStored(new Blob([bytes as Uint8Array<ArrayBuffer>])), hash }
  },

  /** Uncompressed. */
  zip: (files: { name: string; input: Blob }[]): Promise<Blob> => new Response(makeZip(files)).blob(),
}

export type TransferJobs = typeof jobs

serveJobs(jobs)

async function readBlob(blob: Blob): Promise<Uint8Array> {
  try {
    const bytes = new Uint8Array(await blob.arrayBuffer())
    if (bytes.length === blob.size) return bytes
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
