import { Readable } from 'node:stream'
import { AppError, assertStreamLength, checkBlobKey, type FileStore } from '#core'

/** File store in the memory of the process. */
export function createMemoryFileStore(): FileStore {
  const blobs = new Map<string, { chunks: Buffer[]; modifiedAt: number }>()
  return {
    async put(key, body, size) {
      checkBlobKey(key)
      const chunks: Buffer[] = []
      for await (const chunk of assertStreamLength(body, size)) chunks.push(chunk)
      blobs.set(key, { chunks, modifiedAt: Date.now() })
    },
    async get(key) {
      checkBlobKey(key)
      const blob = blobs.get(key)
      if (!blob) throw new AppError('file.not_found')
      return Readable.from(blob.chunks, { objectMode: false })
    },
    async *list() {
      for (const [key, { modifiedAt }] of blobs) yield { key, modifiedAt }
    },
    async delete(key) {
      checkBlobKey(key)
      blobs.delete(key)
    },
    deleteUnfinished: async () => {},
    ping: async () => {},
  }
}
