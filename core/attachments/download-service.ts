/** The download use cases, bound to their dependencies. */
import type { AttachmentStore } from '../contracts/attachments.js'
import type { FileStore } from '../contracts/file-store.js'
import type { Log } from '../lib/log.js'
import { createDamagedBlobs } from './damaged-blobs.js'
import { downloadFile } from './download-file.js'
import { createDownloadLimiter } from './download-limiter.js'
import { openTickets } from './open-tickets.js'

interface Deps {
  store: AttachmentStore
  files: FileStore | null
  settings: { downloadGraceSeconds: number }
  log: Log
  /** Epoch ms. */
  now: () => number
}

export type DownloadsService = ReturnType<typeof downloadsService>

export const downloadsService = (deps: Deps) => ({
  open: openTickets.bind(null, deps),
  download: downloadFile.bind(null, {
    ...deps,
    limitDownloads: createDownloadLimiter(deps.now),
    damaged: createDamagedBlobs(deps.log),
  }),
})
