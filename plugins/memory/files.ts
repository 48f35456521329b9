/** The file store in one process: see index.ts. */
import { Readable } from 'node:stream'
import { AppError, type FileStore } from '#core'

export function memoryFiles(): FileStore {
  const blobs = new Map<string, { bytes: Buffer; modifiedAt: number }>()
  return {
    async put(key, body, size) {
      const chunks: Buffer[] = []
      let length = 0
      for await (const chunk of body) {
        chunks.push(chunk)
        length += chunk.length
        if (length > size) break
      }
      if (length !== size) throw new AppError('file.unavailable')
      blobs.set(key, { bytes: Buffer.concat(chunks), modifiedAt: Date.now() })
    },
    async get(key) {
      const blob = blobs.get(key)
      if (!blob) throw new AppError('file.not_found')
      return Readable.from([blob.bytes], { objectMode: false })
    },
    async *list() {
      for (const [key, { modifiedAt }] of [...blobs]) yield { key, modifiedAt }
    },
    async delete(key) {
      blobs.delete(key)
    },
    async tidy() {},
    async ping() {},
  }
}
