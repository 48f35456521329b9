import type { FileStore } from '../contracts/file-store.js'
import { AppError, isAppError } from '../errors.js'

/** The same store, with whatever a plugin throws told as what it means to a caller: it does not answer now. */
export function guardedFiles(files: FileStore): FileStore {
  return {
    put: (key, body, size) => guard(() => files.put(key, body, size)),
    get: (key) => guard(() => files.get(key)),
    list: () => files.list(),
    delete: (key) => guard(() => files.delete(key)),
    tidy: (before) => guard(() => files.tidy(before)),
    ping: () => guard(() => files.ping()),
  }
}

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw isAppError(cause) ? cause : new AppError('file.unavailable', {}, { cause })
  }
}
