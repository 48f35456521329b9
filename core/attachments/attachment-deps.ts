/** What the upload use cases depend on. */
import type { AttachmentStore } from '../contracts/attachments.js'
import type { FileStore } from '../contracts/file-store.js'
import type { LimitStore } from '../contracts/limits.js'
import type { TokenStore } from '../contracts/tokens.js'
import type { KeyedSemaphore } from '../lib/keyed-semaphore.js'
import type { SettingsService } from '../settings/settings-service.js'

/** Configured limits of files. */
export interface AttachmentSettings {
  /** Before encryption. */
  maxFileBytes: number
  maxFiles: number
  visitorUploads: boolean
  visitorBytesPerDay: number
  /** null: no limit. */
  userBytesPerDay: number | null
  /** Of all files and uploads; null: no limit. */
  instanceBytes: number | null
  maxOpenUploads: number
}

export interface AttachmentDeps {
  store: AttachmentStore
  /** The rate-limit counters of the storage, in which upload quotas are counted too. */
  limits: Pick<LimitStore, 'consume'>
  tokens: Pick<TokenStore, 'find'>
  /** null: this instance has no file store. */
  files: FileStore | null
  instance: SettingsService
  settings: AttachmentSettings
  /** Key of the instance, 32 bytes. */
  key: Buffer
  /** Epoch ms. */
  now: () => number
  /** Called when uploads have ended, so that their blobs are deleted soon. */
  deleteFilesSoon: () => void
  /** Limits parallel parts of one upload. */
  limitParts: KeyedSemaphore
}

/** A small file that was sent inside a create request. Name and type are plaintext, so only public secrets have them. */
export interface InlineFile {
  id: string
  name: string | null
  type: string | null
  bytes: Uint8Array
}
