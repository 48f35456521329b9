/**
 * Context that all use cases of a process share. Each use case is a function of this context, its input and the caller.
 */
import type { Files } from './attachments/files.js'
import type { AuditLog } from './audit/audit-log.js'
import type { Background } from './background/background.js'
import type { AuthProvider } from './contracts/auth-provider.js'
import type { Channels, Subscriber } from './contracts/channels.js'
import type { Emit } from './contracts/events.js'
import type { Storage } from './contracts/storage.js'
import type { UserWebhookIndex } from './events/user-webhook-index.js'
import type { Log } from './lib/log.js'
import type { PasswordHasher } from './lib/password-hash.js'
import type { Limits } from './rate-limits/create-limits.js'
import type { KnownSecrets } from './secrets/known-secrets.js'
import type { PublicListCache } from './secrets/public-list-cache.js'
import type { Settings } from './settings/create-settings.js'
import type { StartupConfig } from './settings/startup-config.js'
import type { EpochMs } from './shared/epoch-ms.js'

export interface App {
  storage: Storage
  /** null: no file store. */
  files: Files | null
  /** Fixed at start. */
  config: StartupConfig
  /** Instance settings, which administrators change at run time. */
  settings: Settings
  /** Key of the instance, 32 bytes. */
  key: Buffer
  hasher: PasswordHasher
  log: Log
  now(): EpochMs
  audit: AuditLog
  /** Calls the listeners of an event. */
  emit: Emit
  /** Where durable events go. `subscribers`: all but the webhooks of users. */
  channels: Channels & { subscribers: Subscriber[] }
  /** The webhooks of users, as this process knows them. */
  webhooks: UserWebhookIndex
  limits: Limits
  background: Background
  caches: { publicLists: PublicListCache; knownSecrets: KnownSecrets }
  /** The auth providers, in order. They may use the other fields. */
  providers(): AuthProvider[]
}
