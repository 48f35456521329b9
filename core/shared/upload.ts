/** A file on its way to the server: sealed part by part, and after every break only what is missing is sent. */
import { base64urlnopad } from '@scure/base'
import { type Client, NetworkError, type UploadId } from './client.js'
import {
  type Digest,
  newDigest,
  newFileKey,
  PART_SIZE,
  partCount,
  partLength,
  sealedFileLength,
  sealedPartLength,
  sealPart,
} from './parts.js'
import { createPatience, type PatienceOptions, patiently } from './patience.js'
import type { Flow } from './request.js'

/** What is uploaded. Parts are read in order, and again after a break. */
export interface Source {
  /** Bytes. */
  size: number
  read(start: number, end: number): Promise<Uint8Array>
}

/** The same, when its parts are sealed elsewhere. */
export interface SealedSource {
  /** Plaintext bytes. */
  size: number
  part(index: number): Promise<Uint8Array | Flow>
}

/**
 * Stores one part of an upload; rejects as `Client.putPart`. `onSent` may be told how many of the part's plaintext bytes are
 * on the line.
 */
export type PutPart = (sent: UploadId, index: number, onSent: (bytes: number) => void) => Promise<void>

/** How far it is, in plaintext bytes. `isWaiting`: the connection is lost, and it will go on by itself. */
export interface Progress {
  done: number
  total: number
  isWaiting: boolean
}

export interface TransferOptions extends Omit<PatienceOptions, 'onWait'> {
  /** Called after every part or more often, and when a wait begins. */
  onProgress?(progress: Progress): void
}

export interface SendOptions extends TransferOptions {
  /** Sealed parts in flight, each of 8 MiB; memory is bounded by about twice that. */
  parallel?: number
}

export interface UploadOptions extends SendOptions {
  /** A faster SHA-256 than ours. */
  digest?: Digest
}

/** What `seal` takes, but for the name and the type. */
export interface Uploaded extends UploadId {
  size: number
  /** 32 bytes, base64url. */
  key: string
  /** Hex. */
  sha256: string
}

const PARALLEL = 3

/**
 * Seals and sends a file. Throws RangeError when the source gives other than it promised, ApiError or NetworkError when
 * it cannot be sent, and the signal's reason when it is aborted; then nothing stays at the server.
 */
export async function upload(client: Client, source: Source, options: UploadOptions = {}): Promise<Uploaded> {
  const { digest = newDigest() } = options
  const fileKey = newFileKey()
  const read = inOrder(source, digest)
  const part = async (index: number) => sealPart(fileKey, index, await read(index))
  const sent = await sendParts(client, { size: source.size, part }, options)
  return { ...sent, size: source.size, key: base64urlnopad.encode(fileKey), sha256: await digest.hex() }
}

/** Sends parts that are sealed. Throws as `upload`. */
export const sendParts = (client: Client, { size, part }: SealedSource, options: SendOptions = {}): Promise<UploadId> =>
  deliver(client, size, async (sent, index) => client.putPart(sent, index, await part(index), options.signal), options)

/** Has the parts of a file of `size` plaintext bytes stored, each by `putPart`. Throws as `upload`, and what `putPart` throws. */
export async function deliver(
  client: Client,
  size: number,
  putPart: PutPart,
  options: SendOptions = {},
): Promise<UploadId> {
  const sent = await reserve(client, size, options)
  try {
    await storeAll(client, size, sent, putPart, options)
  } catch (error) {
    // Best effort: the server removes it anyway when its time is over.
    await client.deleteFile(sent).catch(() => {})
    throw options.signal?.aborted ? options.signal.reason : error
  }
  return sent
}

async function reserve(client: Client, size: number, options: SendOptions): Promise<UploadId> {
  const body = { size: sealedFileLength(size), parts: partCount(size) }
  const onWait = () => options.onProgress?.({ done: 0, total: size, isWaiting: true })
  const { id, token, maxPartSize } = await patiently(() => client.createFile(body, options.signal), {
    ...options,
    onWait,
  })
  if (maxPartSize !== sealedPartLength(PART_SIZE)) throw new NetworkError('the server takes parts of another size')
  return { id, token }
}

async function storeAll(client: Client, size: number, sent: UploadId, putPart: PutPart, options: SendOptions) {
  const { parallel = PARALLEL, signal, onProgress } = options
  let stored = new Set<number>()
  /** Index -> bytes of parts that are on their way. */
  const flying = new Map<number, number>()
  let isBroken = false
  const tell = (isWaiting: boolean) => {
    const lengths = [...[...stored].map((index) => partLength(size, index)), ...flying.values()]
    onProgress?.({ done: lengths.reduce((sum, length) => sum + length, 0), total: size, isWaiting })
  }
  const patience = createPatience({ ...options, onWait: () => tell(true) })
  const send = async (index: number) => {
    const onSent = (bytes: number) => {
      flying.set(index, bytes)
      tell(false)
    }
    try {
      await putPart(sent, index, onSent)
      stored.add(index)
    } finally {
      flying.delete(index)
    }
    patience.renew()
    tell(false)
  }
  for (;;) {
    try {
      // After a break the server knows best what it has, and a line that is slow gets one part at a time.
      if (isBroken) stored = new Set((await client.fileParts(sent, signal)).parts)
      const missing = Array.from({ length: partCount(size) }, (_, index) => index).filter((index) => !stored.has(index))
      return await inLanes(missing, isBroken ? 1 : parallel, send)
    } catch (error) {
      isBroken = true
      await patience.wait(error)
    }
  }
}

/** Sends in order, several at a time. When one fails those on their way are waited for, and no other is begun. */
async function inLanes(indexes: number[], lanes: number, send: (index: number) => Promise<void>): Promise<void> {
  const queue = [...indexes]
  const lane = async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) await send(index)
  }
  const stopping = () =>
    lane().catch((error) => {
      queue.length = 0
      throw error
    })
  const failed = (await Promise.allSettled(Array.from({ length: lanes }, stopping))).find(isRejected)
  if (failed) throw failed.reason
}

const isRejected = (result: PromiseSettledResult<void>) => result.status === 'rejected'

/** Reads of parts that are begun in order happen in order, and each is counted into the digest once. */
function inOrder({ size, read }: Source, digest: Digest): (index: number) => Promise<Uint8Array> {
  let digested = 0
  let before = Promise.resolve()
  const one = async (index: number) => {
    const start = index * PART_SIZE
    const bytes = await read(start, start + partLength(size, index))
    if (bytes.length !== partLength(size, index)) throw new RangeError('the file changed while it was read')
    if (index !== digested) return bytes
    await digest.update(bytes)
    digested += 1
    return bytes
  }
  return (index) => {
    const reading = before.then(() => one(index))
    before = reading.then(
      () => {},
      () => {},
    )
    return reading
  }
}
