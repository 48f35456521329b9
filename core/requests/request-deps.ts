/** What the use cases of secret requests depend on. */
import type { AttachmentsService } from '../attachments/upload-service.js'
import type { Audit } from '../contracts/audit.js'
import type { Emit } from '../contracts/events.js'
import type { RequestStore, SecretStore } from '../contracts/storage.js'
import type { EventService } from '../events/event-service.js'
import type { LimitsService } from '../rate-limits/rate-limit-service.js'
import type { SecretRecorder } from '../secrets/record-secret-event.js'
import type { SecretsSettings } from '../secrets/secret-limits.js'
import type { SettingsService } from '../settings/settings-service.js'

export interface RequestDeps {
  /** Absent: the storage keeps no secret requests. */
  store: RequestStore | undefined
  secrets: Pick<SecretStore, 'findIdempotencyRecord'>
  attachments: Pick<AttachmentsService, 'chargeText' | 'reserveForRequest' | 'totalSize' | 'toRequestBindings'>
  instance: SettingsService
  limits: Pick<LimitsService, 'consume'>
  settings: SecretsSettings
  recorder: SecretRecorder
  audit: Audit
  emit: Emit
  events: Pick<EventService, 'create' | 'isWanted' | 'canNotify'>
  /** Epoch ms. */
  now: () => number
  /** Called after a delete. */
  tidyUp: (deleted: { hasFiles: boolean }) => void
}
