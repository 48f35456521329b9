/** Fetches and opens files, one at a time, into blobs: whole and verified, or not at all. */
import type { AttachedFile } from '#shared/attached-files'
import { download } from '#shared/download'
import { api } from '../../../api.js'
import { newBlobWriter } from '../../../files/blob-writer.js'
import type { Crew } from '../../../files/crew.js'
import { createMeter, type Reading } from '../../../files/meter.js'
import { PATIENCE } from '../../../files/patience.js'

interface Options {
  crew: Crew
  signal: AbortSignal
  onProgress(reading: Reading): void
}

/** Throws JobError, ApiError (`file.not_found` when its time is over), NetworkError or the signal's reason. */
export async function receive(
  secretId: string,
  file: AttachedFile,
  { crew, signal, onProgress }: Options,
): Promise<Blob> {
  const read = createMeter(file.size)
  const writer = newBlobWriter()
  onProgress(read(0, false))
  await download(api, secretId, file, (bytes) => writer.write(bytes as Uint8Array<ArrayBuffer>), {
    ...PATIENCE,
    ...{ openPart: crew.openPart, digest: crew.newDigest(), signal },
    onProgress: ({ done, isWaiting }) => onProgress(read(done, isWaiting)),
  })
  return writer.blob()
}
