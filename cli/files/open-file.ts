import type { OutgoingFile } from '#shared/client/upload-files'

/** A file of a new secret: from disk, a pipe or memory. */
export interface OpenFile extends OutgoingFile {
  close(): Promise<void>
}

/** All files have the same media type: readers' systems recognize files by their names. */
export const FILE_TYPE = 'application/octet-stream'
