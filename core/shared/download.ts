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
  const { digest = newDigest(), onProgress } = options
  const { size, sealed } = file
  const parts = sealed ? partCount(size) : 1
  const fetchPart = fetcher(client, secretId, file, options)
  let done = 0
  let coming = fetchPart(0, done)
  for (let index = 0; index < parts; index++) {
    const bytes = await coming
    done += bytes.length
    // The next one is on its way while this one is written.
    if (index + 1 < parts) coming = fetchPart(index + 1, done)
    // Its failure is met when its turn comes, if it comes.
    coming.catch(() => {})
    if (sealed) await digest.update(bytes)
    await write(bytes)
    onProgress?.({ done, total: size, isWaiting: false })
  }
  if (sealed && (await digest.hex()) !== sealed.sha256) {
    throw new SealError('hostile', 'the file is not what its sender described')
  }
}

/** `done`: what to tell of while it waits. */
function fetcher(client: Client, secretId: string, { ticket, size, sealed }: AttachedFile, options: DownloadOptions) {
  const { openPart = openPartHere, signal, onProgress } = options
  return async (index: number, done: number): Promise<Uint8Array> => {
    if (ticket === null) throw new SealError('hostile', 'the server does not tell of this file')
    const length = partLength(size, index)
    const onWait = () => onProgress?.({ done, total: size, isWaiting: true })
    const call = { key: ticket, secretId, part: index }
    const fetched = await patiently(() => client.download(call, sealed ? sealedPartLength(length) : size, signal), {
      ...options,
      onWait,
    })
    if (!fetched) throw new SealError('hostile', 'a part of this file has a wrong length')
    return sealed ? openPart(sealed.key, index, fetched, length) : fetched
  }
}
