/** The upload use cases, bound to their dependencies. Files are uploaded in parts before a secret binds them. */
import { createKeyedSemaphore } from '../lib/keyed-semaphore.js'
import type { AttachmentDeps } from './attachment-deps.js'
import { measureFiles, storeInlineFiles, toBindings, toRequestBindings } from './bind-uploads.js'
import { cancelUpload, cancelUserUploads, discardUploads } from './cancel-upload.js'
import { listStoredParts, putPart } from './put-part.js'
import { chargeText, readStorageUsage, readUploadUsage } from './quotas.js'
import { reserveForRequest, reserveUpload } from './reserve-upload.js'
import { canUpload } from './upload-policy.js'

/** Parallel parts of one upload in one process, as many as our clients send. */
const PARALLEL_PARTS = 3

export type AttachmentsService = ReturnType<typeof attachmentsService>

export function attachmentsService(given: Omit<AttachmentDeps, 'limitParts'>) {
  const deps: AttachmentDeps = { ...given, limitParts: createKeyedSemaphore(PARALLEL_PARTS) }
  return {
    canUpload: canUpload.bind(null, deps),
    reserve: reserveUpload.bind(null, deps),
    reserveForRequest: reserveForRequest.bind(null, deps),
    putPart: putPart.bind(null, deps),
    storedParts: listStoredParts.bind(null, deps),
    cancel: cancelUpload.bind(null, deps),
    cancelAll: cancelUserUploads.bind(null, deps),
    toBindings: toBindings.bind(null, deps),
    toRequestBindings: toRequestBindings.bind(null, deps),
    storeInline: storeInlineFiles.bind(null, deps),
    discard: discardUploads.bind(null, deps),
    totalSize: measureFiles.bind(null, deps),
    chargeText: chargeText.bind(null, deps),
    uploadUsage: readUploadUsage.bind(null, deps),
    storageUsage: readStorageUsage.bind(null, deps),
  }
}
