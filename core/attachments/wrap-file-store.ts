import type { FileStore } from '../contracts/file-store.js'
import { AppError, isAppError } from '../lib/errors.js'

/** Wraps a file store so that an unknown error of the plugin becomes AppError `file.unavailable`. */
export function wrapFileStore(files: FileStore): FileStore {
  return {
    put: (key, body, size) => mapErrors(() => files.put(key, body, size)),
    get: (key) => mapErrors(() => files.get(key)),
    list: () => files.list(),
    delete: (key) => mapErrors(() => files.delete(key)),
    deleteUnfinished: (before) => mapErrors(() => files.deleteUnfinished(before)),
    ping: () => mapErrors(() => files.ping()),
  }
}

async function mapErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw isAppError(cause) ? cause : new AppError('file.unavailable', {}, { cause })
  }
}
