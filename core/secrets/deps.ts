/** What the secret use cases depend on. */
import type { TokensService } from '../accounts/tokens.js'
import type { DownloadsService } from '../attachments/downloads.js'
import type { AttachmentsService } from '../attachments/service.js'
import type { SecretStore } from '../contracts/storage.js'
import type { SettingsService } from '../settings/service.js'
import type { PublicListCache } from './public-lists.js'
import type { SecretRecorder } from './record-event.js'
import type { SecretsSettings } from './settings.js'

export interface SecretDeps {
  store: SecretStore
  instance: SettingsService
  attachments: AttachmentsService
  downloads: DownloadsService
  lists: PublicListCache
  tokens: Pick<TokensService, 'charge'>
  settings: SecretsSettings
  recorder: SecretRecorder
  /** Epoch ms. */
  now: () => number
  /** Called after a delete. */
  tidyUp: (deleted: { hasFiles: boolean }) => void
}
