/** Text and files of a new secret or submission. */
import type { Client } from '../client/client.js'
import { type FileSource, upload } from '../client/upload.js'
import { deleteUploads, type FilesProgress, type OutgoingFile, uploadFiles } from '../client/upload-files.js'
import type { DraftFile } from '../crypto/encrypt-secret.js'
import { encodeText } from '../crypto/envelope.js'
import { safeFileName } from '../file-name.js'
import { inputError, MayflyError } from './client-error.js'
import { type ByteChunks, createStreamSource } from './stream-source.js'

/** A file to send. It is encrypted in parts of 8 MiB while it is sent. */
export interface FileInput {
  name: string
  /** Media type. Default: the type of a Blob, or `application/octet-stream`. */
  type?: string | undefined
  content: Blob | Uint8Array | ByteChunks
  /** Exact number of bytes. Needed for a stream or an iterable. */
  size?: number | undefined
}

export interface ContentInput {
  /** Bytes, or a text to encode as UTF-8. Default: empty. */
  text?: string | Uint8Array | undefined
  files?: FileInput[] | undefined
  /** Cancels uploads and the request that follows them. */
  signal?: AbortSignal | undefined
  /** Called while files are sent. */
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

/** In plaintext bytes of all files. */
export interface UploadProgress {
  done: number
  total: number
  /** The connection is lost, and a retry follows. */
  isWaiting: boolean
}

const DEFAULT_TYPE = 'application/octet-stream'

/** Throws MayflyError `input.invalid`. */
export function encodeContentText({ text = '' }: ContentInput): Uint8Array {
  if (typeof text !== 'string') return text
  try {
    return encodeText(text)
  } catch (error) {
    throw inputError('text', (error as Error).message)
  }
}

/**
 * Uploads the files and passes them to `use`. Deletes them if it throws. Throws MayflyError `input.invalid` before
 * anything is sent, and `file.changed` for a file whose size differs from the declared size.
 */
export async function withUploads<T>(
  { files = [], signal, onProgress }: ContentInput,
  client: Client,
  use: (sent: DraftFile[]) => Promise<T>,
): Promise<T> {
  const outgoing = files.map(toOutgoingFile)
  const report = onProgress && (({ done, total, isWaiting }: FilesProgress) => onProgress({ done, total, isWaiting }))
  const sent = await uploadFiles(outgoing, client, { signal, onProgress: report })
  try {
    return await use(sent)
  } catch (error) {
    await deleteUploads(sent, client)
    throw error
  }
}

function toOutgoingFile({ name, type, content, size }: FileInput, index: number): OutgoingFile {
  if (safeFileName(name) !== name) throw inputError(`files.${index}.name`, 'must be a portable file name')
  const source = toSource(content, size, `files.${index}.size`)
  const isTyped = content instanceof Blob && content.type !== ''
  return {
    name,
    type: type ?? (isTyped ? content.type : DEFAULT_TYPE),
    size: source.size,
    async send(client, options) {
      try {
        return await upload(client, source, options)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        throw new MayflyError('file.changed', error.message, { field: `files.${index}.content`, cause: error })
      }
    },
  }
}

function toSource(content: FileInput['content'], size: number | undefined, field: string): FileSource {
  if (content instanceof Uint8Array) {
    return { size: content.length, read: async (start, end) => content.subarray(start, end) }
  }
  if (content instanceof Blob) {
    const read = async (start: number, end: number) => new Uint8Array(await content.slice(start, end).arrayBuffer())
    return { size: content.size, read }
  }
  if (size === undefined || !Number.isSafeInteger(size) || size < 0) {
    throw inputError(field, 'must be the number of bytes of a stream')
  }
  return createStreamSource(content, size)
}
