/** An opened secret or submission. */
import type { ViewedSecret } from '../api/index.js'
import type { Client } from '../client/client.js'
import { download } from '../client/download.js'
import { type AttachedFile, acknowledge, type ViewedContent } from '../client/viewed-content.js'
import type { TamperWarning } from '../crypto/encrypt-secret.js'
import { decodeText } from '../crypto/envelope.js'
import type { EpochMs } from '../epoch-ms.js'
import { safeFileName } from '../file-name.js'
import { toClientError, withClientErrors } from './client-error.js'

export interface ReceivedSecret {
  id: string
  /** May be empty. */
  title: string
  /** null: the content is not UTF-8. */
  text: string | null
  bytes: Uint8Array
  files: ReceivedFile[]
  /** null: not limited. */
  viewsLeft: number | null
  expiresAt: EpochMs
  /** Options that the server changed. Tell the sender. */
  warnings: TamperWarning[]
  /** Identifies this view. The same claim repeats it until it is acknowledged. */
  claim: string
  /**
   * Tells the server that the content, with its files, is saved: a used-up secret is deleted then. Otherwise the server
   * deletes it after some minutes. Throws MayflyError.
   */
  acknowledge(): Promise<void>
}

export interface ReceivedFile {
  /** Safe on every system. */
  name: string
  /** Media type, as the sender gave it. */
  type: string
  /** Bytes. */
  size: number
  /**
   * Downloads and decrypts the file. The stream ends with a MayflyError if the file differs from the sender's
   * description: do not use its bytes before it has ended. It can be called again for some minutes after the view.
   */
  stream(options?: { signal?: AbortSignal }): ReadableStream<Uint8Array>
}

/** `access`: the proof for the acknowledgement. */
export function toReceivedSecret(
  client: Client,
  viewed: ViewedSecret,
  { title, text, files, warnings }: ViewedContent,
  { access, claim }: { access?: string | undefined; claim: string },
): ReceivedSecret {
  const { id, maxViews, expiresAt } = viewed
  return {
    id,
    title,
    text: decodeText(text),
    bytes: text,
    files: files.map((file) => toReceivedFile(client, id, file)),
    viewsLeft: maxViews,
    expiresAt,
    warnings,
    claim,
    acknowledge: () =>
      withClientErrors(() => acknowledge(client, id, { claim, ...(access !== undefined && { access }) })),
  }
}

const toReceivedFile = (client: Client, secretId: string, file: AttachedFile): ReceivedFile => ({
  name: safeFileName(file.name),
  type: file.type,
  size: file.size,
  stream: ({ signal } = {}) => createDownload(client, secretId, file, signal),
})

/** A part is fetched only when the previous one is read. */
function createDownload(
  client: Client,
  secretId: string,
  file: AttachedFile,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  // The reader has cancelled the stream.
  writer.closed.catch((reason) => controller.abort(reason))
  download(client, secretId, file, (bytes) => writer.write(bytes), { signal: controller.signal })
    .then(() => writer.close())
    .catch((error) => writer.abort(toClientError(error)))
    .catch(() => {})
    .finally(() => signal?.removeEventListener('abort', abort))
  return readable
}
