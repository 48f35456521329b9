/** A file on its way to its reader: part by part, each opened, written in order, and asked for again after a break. */
import { SealError } from './age.js'
import type { AttachedFile } from './attached-files.js'
import type { Client } from './client.js'
import { type Digest, newDigest, openPart as openPartHere, partCount, partLength, sealedPartLength } from './parts.js'
import { patiently } from './patience.js'
import type { TransferOptions } from './upload.js'

export interface DownloadOptions extends TransferOptions {
  /** Opens elsewhere, such as in workers; it may take the bytes away. */
  openPart?: typeof openPartHere
  /** A faster SHA-256 than ours. */
  digest?: Digest
}

/**
 * Hands a file to `write`, in order, and resolves when all of it was written and is what its sender described; until then
 * nothing written may be taken for the file. `secretId`: as it was viewed, with the key of a raw one.
 * Throws SealError, ApiError (`file.not_found` when its time is over), NetworkError, or the signal's reason.
 */
export async function download(
  client: Client,
  secretId: string,
  file: AttachedFile,
  write: (bytes: Uint8Array) => void | Promise<void>,
  options: DownloadOptions = {},
): Promise<void> {
  const { openPart = openPartHere, digest = newDigest(), onProgress } = options
  const { size, sealed } = file
  const parts = sealed ? partCount(size) : 1
  const fetchPart = fetcher(client, secretId, file, options)
  let done = 0
  let coming = fetchPart(0, done)
  for (let index = 0; index < parts; index++) {
    const fetched = await coming
    // The next one is on its way while this one is opened and written. Its failure is met when its turn comes, if it comes.
    if (index + 1 < parts) coming = fetchPart(index + 1, done)
    coming.catch(() => {})
    const bytes = sealed ? await openPart(sealed.key, index, fetched, partLength(size, index)) : fetched
    if (sealed) await digest.update(bytes)
    done += bytes.length
    await write(bytes)
    onProgress?.({ done, total: size, isWaiting: false })
  }
  if (sealed && (await digest.hex()) !== sealed.sha256) {
    throw new SealError('hostile', 'the file is not what its sender described')
  }
}

/** `done`: what to tell of while it waits. */
function fetcher(client: Client, secretId: string, { ticket, size, sealed }: AttachedFile, options: DownloadOptions) {
  const { signal, onProgress } = options
  const roomFor = twoRooms()
  return async (index: number, done: number): Promise<Uint8Array> => {
    if (ticket === null) throw new SealError('hostile', 'the server does not tell of this file')
    const onWait = () => onProgress?.({ done, total: size, isWaiting: true })
    const room = roomFor(index, sealed ? sealedPartLength(partLength(size, index)) : size)
    const call = { key: ticket, secretId, part: index }
    const fetched = await patiently(() => client.download(call, room, signal), { ...options, onWait })
    if (!fetched) throw new SealError('hostile', 'a part of this file has a wrong length')
    return fetched
  }
}

/** One part is opened while another one is on its way: their room is used again, unless a worker has taken it away. */
function twoRooms(): (index: number, length: number) => Uint8Array {
  const rooms: Uint8Array[] = []
  return (index, length) => {
    const used = rooms[index % 2]
    const room = used && used.length >= length ? used : new Uint8Array(length)
    rooms[index % 2] = room
    return room.subarray(0, length)
  }
}
