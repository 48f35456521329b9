/** Files put into one, without compression, piece by piece. */
import { makeZip } from 'client-zip'
import { newBlobWriter } from '../../../files/blob-writer.js'

export async function zipOf(files: { name: string; input: Blob }[]): Promise<Blob> {
  const writer = newBlobWriter()
  const reader = makeZip(files).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    writer.write(next.value as Uint8Array<ArrayBuffer>)
  }
  return writer.blob()
}
