/** The file store of an instance. */
import type { FileStore } from '../contracts/file-store.js'
import { AppError, isAppError } from '../lib/errors.js'
import { createKeyedSemaphore, type KeyedSemaphore } from '../lib/keyed-semaphore.js'
import type { Log } from '../lib/log.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { createDamagedBlobs, type DamagedBlobs } from './damaged-blobs.js'
import { createDownloadLimiter, type DownloadLimiter } from './download-limiter.js'

/** Parallel parts of one upload in one process, as many as our clients send. */
const PARALLEL_PARTS = 3

/** The file store, and the transfers of this process. */
export interface Files extends FileStore {
  /** Limits parallel parts of one upload. */
  limitParts: KeyedSemaphore
  limitDownloads: DownloadLimiter
  damaged: DamagedBlobs
}

/** An unknown error of the plugin becomes AppError `file.unavailable`. */
export function createFiles(store: FileStore, { log, now }: { log: Log; now: () => EpochMs }): Files {
  return {
    put: (key, body, size) => mapErrors(() => store.put(key, body, size)),
    get: (key) => mapErrors(() => store.get(key)),
    list: () => store.list(),
    delete: (key) => mapErrors(() => store.delete(key)),
    deleteUnfinished: (before) => mapErrors(() => store.deleteUnfinished(before)),
    ping: () => mapErrors(() => store.ping()),
    limitParts: createKeyedSemaphore(PARALLEL_PARTS),
    limitDownloads: createDownloadLimiter(now),
    damaged: createDamagedBlobs(log),
  }
}

async function mapErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw isAppError(cause) ? cause : new AppError('file.unavailable', {}, { cause })
  }
}
