/** Uploads a file part by part: encrypts each part and, after a lost connection, sends only the missing parts. */
import { base64urlnopad } from '@scure/base'
import { digestOfParts, hashPart } from '../crypto/file-digest.js'
import {
  encryptedFileLength,
  encryptedPartLength,
  encryptPart,
  newFileKey,
  PART_SIZE,
  partCount,
  partLength,
} from '../crypto/parts.js'
import { type Client, NetworkError, type UploadId } from './client.js'
import { createRetry, RETRY_FOR_MS, type RetryOptions, withRetry } from './retry.js'
import type { SizedStream } from './send-request.js'

/** A file to upload. Parts are read again after a lost connection. */
export interface FileSource {
  /** Bytes. */
  size: number
  read(start: number, end: number): Promise<Uint8Array>
  /** Part `index` is stored and will not be read again. */
  release?(index: number): void
}

/** A file whose parts are encrypted by the caller. */
export interface EncryptedSource {
  /** Plaintext bytes. */
  size: number
  part(index: number): Promise<Uint8Array | SizedStream>
}

/**
 * Stores one part of an upload. Rejects as `Client.putPart`. It may call `onSent` with the number of plaintext bytes of
 * the part that are sent.
 */
export type PutPart = (sent: UploadId, index: number, onSent: (bytes: number) => void) => Promise<void>

/** A part to encrypt with a key of the file and to store. See PutPart. */
export interface PartToPut {
  sent: UploadId
  index: number
  /** 32 bytes, see `encryptPart`. */
  fileKey: Uint8Array
  /** Takes SHA-256 of the plaintext. A part whose hash is not known when its request fails is sent again. */
  onHash(hash: Uint8Array): void
  onSent(bytes: number): void
}

/** Progress in plaintext bytes. `isWaiting`: the connection is lost, and a retry follows. */
export interface Progress {
  done: number
  total: number
  isWaiting: boolean
}

export interface TransferOptions extends Omit<RetryOptions, 'onWait'> {
  /** Called at least after every part, and when a delay before a retry begins. */
  onProgress?(progress: Progress): void
}

export interface UploadPartsOptions extends TransferOptions {
  /** Number of encrypted parts of 8 MiB in flight. Memory use is at most about twice their size. */
  parallel?: number
  /** Number of secrets that can have the file. Default: 1. */
  copies?: number | undefined
}

/** The fields of a file in an envelope, except name and type. */
export interface Uploaded extends UploadId {
  size: number
  /** 32 bytes, base64url. */
  key: string
  /** Hex, see file-digest.ts. */
  digest: string
}

const PARALLEL = 3

/**
 * Encrypts and uploads a file. Throws RangeError if the source returns a wrong number of bytes, ApiError or
 * NetworkError if the upload fails, and the reason of the signal if it is aborted. After an error nothing stays on the
 * server.
 */
export const upload = (client: Client, source: FileSource, options: UploadPartsOptions = {}): Promise<Uploaded> =>
  uploadWithKey(
    client,
    source.size,
    async ({ sent, index, fileKey, onHash }) => {
      const bytes = await readPart(source, index)
      onHash(await hashPart(bytes))
      await client.putPart(sent, index, await encryptPart(fileKey, index, bytes), options.signal)
      source.release?.(index)
    },
    options,
  )

/** Encrypts and uploads a file of `size` plaintext bytes with a new file key. Throws as `uploadParts`. */
export async function uploadWithKey(
  client: Client,
  size: number,
  putPart: (part: PartToPut) => Promise<void>,
  options: UploadPartsOptions = {},
): Promise<Uploaded> {
  const fileKey = newFileKey()
  const hashes: Uint8Array[] = []
  const put: PutPart = (sent, index, onSent) => {
    const onHash = (hash: Uint8Array) => {
      hashes[index] = hash
    }
    return putPart({ sent, index, fileKey, onHash, onSent })
  }
  const sent = await uploadParts(client, size, put, options, (index) => hashes[index] === undefined)
  return { ...sent, size, key: base64urlnopad.encode(fileKey), digest: digestOfParts(hashes) }
}

/** Uploads a file with encrypted parts. Throws as `upload`. */
export const sendParts = (
  client: Client,
  { size, part }: EncryptedSource,
  options: UploadPartsOptions = {},
): Promise<UploadId> =>
  uploadParts(
    client,
    size,
    async (sent, index) => client.putPart(sent, index, await part(index), options.signal),
    options,
  )

/**
 * Uploads a file of `size` plaintext bytes, each part with `putPart`. `needsPart`: true for a part to send although the
 * server has it. Throws as `upload`, and the errors of `putPart`.
 */
export async function uploadParts(
  client: Client,
  size: number,
  putPart: PutPart,
  options: UploadPartsOptions = {},
  needsPart: (index: number) => boolean = () => false,
): Promise<UploadId> {
  const patient = withRetryTime(client, options)
  const sent = await reserve(client, size, patient)
  try {
    await putMissingParts(client, size, sent, { putPart, needsPart }, patient)
  } catch (error) {
    // Best effort: the server deletes an abandoned upload later.
    await client.deleteFile(sent).catch(() => {})
    throw options.signal?.aborted ? options.signal.reason : error
  }
  return sent
}

/** The time limit of the client applies when it is longer than the usual one. */
export function withRetryTime<T extends TransferOptions>({ retryForMs = 0 }: Client, options: T): T {
  return options.retryForMs !== undefined || retryForMs <= RETRY_FOR_MS ? options : { ...options, retryForMs }
}

async function reserve(client: Client, size: number, options: UploadPartsOptions): Promise<UploadId> {
  const { copies } = options
  const body = {
    size: encryptedFileLength(size),
    parts: partCount(size),
    ...(copies !== undefined && { copies }),
  }
  const onWait = () => options.onProgress?.({ done: 0, total: size, isWaiting: true })
  const { id, token, maxPartSize } = await withRetry(() => client.createFile(body, options.signal), {
    ...options,
    onWait,
  })
  if (maxPartSize !== encryptedPartLength(PART_SIZE)) throw new NetworkError('the server takes parts of another size')
  return { id, token }
}

async function putMissingParts(
  client: Client,
  size: number,
  sent: UploadId,
  { putPart, needsPart }: { putPart: PutPart; needsPart(index: number): boolean },
  options: UploadPartsOptions,
) {
  const { parallel = PARALLEL, signal, onProgress } = options
  let stored = new Set<number>()
  /** Bytes sent of each part in flight, by index. */
  const inFlight = new Map<number, number>()
  let hasFailed = false
  const report = (isWaiting: boolean) => {
    const lengths = [...[...stored].map((index) => partLength(size, index)), ...inFlight.values()]
    onProgress?.({ done: lengths.reduce((sum, length) => sum + length, 0), total: size, isWaiting })
  }
  const retry = createRetry({ ...options, onWait: () => report(true) })
  const send = async (index: number) => {
    const onSent = (bytes: number) => {
      inFlight.set(index, bytes)
      report(false)
    }
    try {
      await putPart(sent, index, onSent)
      stored.add(index)
    } finally {
      inFlight.delete(index)
    }
    retry.reset()
    report(false)
  }
  for (;;) {
    try {
      // After an error, asks the server which parts it has, and sends one part at a time in case the connection is
      // slow.
      if (hasFailed) stored = new Set((await client.fileParts(sent, signal)).parts)
      const indexes = Array.from({ length: partCount(size) }, (_, index) => index)
      const missing = indexes.filter((index) => !stored.has(index) || needsPart(index))
      return await mapConcurrent(missing, hasFailed ? 1 : parallel, send)
    } catch (error) {
      hasFailed = true
      await retry.wait(error)
    }
  }
}

/**
 * Calls `send` in order, with up to `limit` calls at a time. After an error, starts no further call and waits for the
 * running ones.
 */
async function mapConcurrent(indexes: number[], limit: number, send: (index: number) => Promise<void>): Promise<void> {
  const queue = [...indexes]
  const worker = async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) await send(index)
  }
  const stopOnError = () =>
    worker().catch((error) => {
      queue.length = 0
      throw error
    })
  const failed = (await Promise.allSettled(Array.from({ length: limit }, stopOnError))).find(isRejected)
  if (failed) throw failed.reason
}

const isRejected = (result: PromiseSettledResult<void>) => result.status === 'rejected'

async function readPart({ size, read }: FileSource, index: number): Promise<Uint8Array> {
  const start = index * PART_SIZE
  const bytes = await read(start, start + partLength(size, index))
  if (bytes.length !== partLength(size, index)) throw new RangeError('the file changed while it was read')
  return bytes
}
