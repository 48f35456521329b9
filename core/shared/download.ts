/** A file on its way to its reader: part by part, each opened, written in order, and asked for again after a break. */
import { SealError } from './age.js'
import type { Download } from './api.js'
import type { AttachedFile } from './attached-files.js'
import type { Client } from './client.js'
import { type Digest, newDigest, openPart, PART_SIZE, partCount, partLength, sealedPartLength } from './parts.js'
import { patiently } from './patience.js'
import type { TransferOptions } from './upload.js'

export interface DownloadOptions extends TransferOptions {
  /** A faster SHA-256 than ours. */
  digest?: Digest
}

/** What to ask the server for. */
export type PartCall = Download & { part: number }

/** How parts come, whatever stands for one. */
export interface Receiver<Part> {
  /** Gets one part, of `length` plaintext bytes. Called again when the connection breaks, and while the part before is taken. */
  fetch(call: PartCall, length: number): Promise<Part>
  /** Opens, counts and writes part `index`, in order, when all before it are. */
  take(part: Part, index: number): Promise<void>
  /** SHA-256 of all that was taken, as hex. */
  hex(): string | Promise<string>
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
  const { digest = newDigest(), signal } = options
  const { size, sealed } = file
  const roomFor = twoRooms()
  await receiveParts(secretId, file, options, {
    async fetch(call, length) {
      const room = roomFor(call.part, sealed ? sealedPartLength(length) : length)
      const fetched = await client.download(call, room, signal)
      if (!fetched) throw new SealError('hostile', 'a part of this file has a wrong length')
      return fetched
    },
    async take(fetched, index) {
      const bytes = sealed ? await openPart(sealed.key, index, fetched, partLength(size, index)) : fetched
      if (sealed) await digest.update(bytes)
      await write(bytes)
    },
    hex: () => digest.hex(),
  })
}

/** The same with parts that are fetched and opened elsewhere. Throws as `download`, and what the receiver throws. */
export async function receiveParts<Part>(
  secretId: string,
  { size, sealed, ticket }: AttachedFile,
  options: TransferOptions,
  { fetch, take, hex }: Receiver<Part>,
): Promise<void> {
  if (ticket === null) throw new SealError('hostile', 'the server does not tell of this file')
  const parts = sealed ? partCount(size) : 1
  const bytesBefore = (index: number) => (index === parts ? size : index * PART_SIZE)
  const tell = (index: number, isWaiting: boolean) =>
    options.onProgress?.({ done: bytesBefore(index), total: size, isWaiting })
  const fetchPart = (part: number, taken: number) => {
    const length = sealed ? partLength(size, part) : size
    const call = { key: ticket, secretId, part }
    return patiently(() => fetch(call, length), { ...options, onWait: () => tell(taken, true) })
  }
  let coming = fetchPart(0, 0)
  for (let index = 0; index < parts; index++) {
    const fetched = await coming
    // The next one is on its way while this one is taken. Its failure is met when its turn comes, if it comes.
    if (index + 1 < parts) coming = fetchPart(index + 1, index)
    coming.catch(() => {})
    await take(fetched, index)
    tell(index + 1, false)
  }
  if (sealed && (await hex()) !== sealed.sha256) {
    throw new SealError('hostile', 'the file is not what its sender described')
  }
}

/** One part is opened while another one is on its way: their room is used again. */
function twoRooms(): (index: number, length: number) => Uint8Array {
  const rooms: Uint8Array[] = []
  return (index, length) => {
    const used = rooms[index % 2]
    const room = used && used.length >= length ? used : new Uint8Array(length)
    rooms[index % 2] = room
    return room.subarray(0, length)
  }
}
