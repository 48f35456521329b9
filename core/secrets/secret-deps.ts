/** What the secret use cases depend on. */

import type { DownloadsService } from '../attachments/download-service.js'
import type { AttachmentsService } from '../attachments/upload-service.js'
import type { TokensService } from '../auth/api-tokens.js'
import type { ReceiptStore } from '../contracts/receipts.js'
import type { SecretStore } from '../contracts/storage.js'
import type { EventService } from '../events/event-service.js'
import type { PasswordHasher } from '../lib/password-hash.js'
import type { SettingsService } from '../settings/settings-service.js'
import type { PublicListCache } from './public-list-cache.js'
import type { SecretRecorder } from './record-secret-event.js'
import type { SecretsSettings } from './secret-limits.js'

export interface SecretDeps {
  store: SecretStore
  /** Absent if the storage has no receipts. */
  receipts: ReceiptStore | undefined
  instance: SettingsService
  attachments: AttachmentsService
  downloads: DownloadsService
  lists: PublicListCache
  tokens: Pick<TokensService, 'charge'>
  settings: SecretsSettings
  hasher: PasswordHasher
  recorder: SecretRecorder
  events: Pick<EventService, 'create' | 'isWanted' | 'canNotify'>
  /** Epoch ms. */
  now: () => number
  /** Called after a delete. */
  tidyUp: (deleted: { hasFiles: boolean }) => void
}
