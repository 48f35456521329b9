/** Interface of a running instance for plugins: small, and stable when the use cases change. */

import type { App } from '../app.js'
import { readStorageUsage } from '../attachments/quotas.js'
import { checkPassword } from '../auth/sign-in.js'
import type { AuditSinkState } from '../contracts/audit-sink.js'
import { type AuthContext, anonymous } from '../contracts/auth-context.js'
import type { DeliveryOutcome, EventQueueState, OutboxEntry, OutboxFilter } from '../contracts/outbox.js'
import type { Page } from '../contracts/page.js'
import type { Connections } from '../contracts/storage.js'
import type { Role } from '../contracts/users.js'
import { pingChannel } from '../events/durable-events.js'
import { readLastBackup } from '../export/last-backup.js'
import { createSecret } from '../secrets/create-secret.js'
import type { StorageUsage } from '../shared/api/admin.js'
import { type CreatedSecret, Username } from '../shared/api/index.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import type { InstanceSettings, SettingName } from '../shared/instance-settings.js'
import { isPluginSettingName, type PluginSettingName, type SettingValue } from '../shared/plugin-setting.js'

/** A secret that the server encrypts. */
export interface NewSecret {
  /** Plaintext. */
  text: string
  /** Lifetime in seconds. */
  ttl: number
  /** Default: 1. */
  maxViews?: number
  title?: string
  password?: string
  /** IP address or CIDR range. */
  allowedIp?: string
}

/** An account, without credentials. */
export interface PluginUser {
  id: string
  username: string
  role: Role
  /** Empty if unknown. */
  email: string
  createdAt: EpochMs
}

export interface PluginApp {
  /** False in a command that opens the instance on its machine, such as `mayfly user add`: listen on no ports there. */
  isServer: boolean
  secrets: {
    /**
     * Creates a secret without an owner, under the limits of visitors. The server receives the text, and does not store
     * the key, which is only in the `url` of the result. Throws AppError, among others `settings.read_only` and
     * `request.invalid`.
     */
    create(secret: NewSecret): Promise<CreatedSecret>
  }
  users: {
    /** Null: no account has this username. */
    find(username: string): Promise<PluginUser | null>
  }
  settings: {
    /** An instance setting, up to 1 s old. */
    get<Name extends SettingName>(name: Name): Promise<InstanceSettings[Name]>
    /** An instance setting of a plugin, as `plugin.setting`, up to 1 s old. Throws an Error for an unknown name. */
    get(name: PluginSettingName): Promise<SettingValue>
  }
  health: {
    /** Each component of this instance, and whether it responds. Up to 1 s old. */
    parts(): Promise<{ name: string; isUp: boolean }[]>
    /** Database connections of this process; null when the storage has none. */
    connections(): Connections | null
    /**
     * Driver and version of the database, such as `sqlite3, SQLite 3.52.0`; null when the storage does not name them.
     */
    driver(): string | null
    /** Bytes of all files and uploads. */
    storageUsage(): Promise<StorageUsage>
    /** Secrets that can be viewed, counted up to 10,000. Up to 10 s old. */
    liveSecrets(): Promise<number>
    /** When `mayfly backup` last wrote a backup of this instance; null: never. */
    lastBackup(): Promise<EpochMs | null>
    /** Queues of the audit sinks of this process. */
    auditSinks(): AuditSinkState[]
    /** The events that wait for each subscriber. */
    eventQueues(): EventQueueState[]
  }
  /** Durable events: their subscribers and the delivery log. */
  events: {
    subscribers: readonly string[]
    /** Sends a `ping` to a subscriber now, and once only. Throws AppError `request.invalid` for an unknown name. */
    ping(subscriber: string): Promise<DeliveryOutcome>
    /** Newest first. */
    list(filter: OutboxFilter, page: Page): Promise<OutboxEntry[]>
    /** Delivers matching events again. Returns their number. */
    redeliver(filter: OutboxFilter): Promise<number>
  }
}

/** Queries of auth providers about accounts. */
export interface Accounts {
  /**
   * Checks a password that this instance stores. Null when the user is unknown, the password is wrong or the account
   * has none; it takes as long in every case.
   */
  checkPassword(
    username: string,
    password: string,
  ): Promise<{ subject: string; username: string; email: string } | null>
}

export const createAccounts = (app: App): Accounts => ({
  async checkPassword(username, password) {
    const user = await checkPassword(app, username, password)
    return user && { subject: user.id, username: user.username, email: user.email }
  },
})

export function createPluginApp(plugin: string, app: App, isServer: boolean): PluginApp {
  const { storage, settings, channels, audit } = app
  const { stats, health, eventLimit } = app.background
  /** The audit log shows the name of the plugin. */
  const caller: AuthContext = { ...anonymous(null), username: `(${plugin})` }
  return {
    isServer,
    secrets: { create: (secret) => createSecret(app, secret, caller) },
    users: {
      async find(username) {
        const user = await storage.users.find(Username.safeParse(username).data ?? '')
        if (!user) return null
        const { id, role, email, createdAt } = user
        return { id, username: user.username, role, email, createdAt }
      },
    },
    settings: { get: createGetSetting(settings) },
    health: {
      parts: health.parts,
      connections: health.connections,
      driver: health.driver,
      storageUsage: () => readStorageUsage(app),
      liveSecrets: async () => (await stats.read()).live,
      lastBackup: () => readLastBackup(storage.instanceState),
      auditSinks: audit.sinks,
      eventQueues: eventLimit.queues,
    },
    events: {
      subscribers: channels.subscribers.map(({ name }) => name),
      ping: (subscriber) => pingChannel(app, subscriber),
      list: (filter, page) => storage.outbox.list(filter, page),
      redeliver: (filter) => storage.outbox.redeliver(filter, app.now()),
    },
  }
}

function createGetSetting(settings: App['settings']): PluginApp['settings']['get'] {
  async function get(name: SettingName | PluginSettingName) {
    return isPluginSettingName(name) ? settings.plugins.get(name) : (await settings.current())[name]
  }
  return get as PluginApp['settings']['get']
}
