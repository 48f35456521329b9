/** Finds the plugins that fill a slot of the configuration: storage, file store, rate limits and auth providers. */
import type { AuthProvider } from '../contracts/auth-provider.js'
import type { FileStore } from '../contracts/file-store.js'
import type { LimitStore } from '../contracts/limits.js'
import type { Storage } from '../contracts/storage.js'
import type { AppSettings } from '../settings/startup-config.js'
import { assertProviderIds } from './assert-provider-ids.js'
import type { Hooks, PluginContext } from './plugin.js'
import type { Accounts } from './plugin-app.js'
import { PluginError } from './plugin-error.js'
import type { StartedPlugin } from './start-plugins.js'

export interface Stores {
  storage: Storage
  /** null: no file store. */
  files: FileStore | null
}

/** Throws PluginError for an empty slot. */
export function resolveStores({ storage, files }: AppSettings, started: StartedPlugin[]): Stores {
  const stores = { storage: hooksOf(started, storage)?.storage, files: hooksOf(started, files)?.files ?? null }
  if (!stores.storage) throw new PluginError(`Plugin "${storage}" does not provide a storage.`)
  if (!stores.files && files !== '') throw new PluginError(`Plugin "${files}" does not provide a file store.`)
  return { ...stores, storage: stores.storage }
}

/** null: no limits. Throws PluginError for an empty slot. */
export function resolveCounters(
  { limits }: AppSettings,
  storage: Storage,
  started: StartedPlugin[],
): LimitStore | null {
  if (limits === 'off') return null
  const store = limits === '' ? storage.limits : hooksOf(started, limits)?.limits
  if (!store) throw new PluginError(`Plugin "${limits}" does not provide a rate-limit store.`)
  return store
}

interface ProviderParts {
  started: StartedPlugin[]
  accounts: Accounts
  context: PluginContext
}

/** Throws PluginError for a plugin without auth providers, and for an invalid or duplicate id. */
export function createProviders({ auth }: AppSettings, { started, accounts, context }: ProviderParts): AuthProvider[] {
  const providers = auth.flatMap((name) => {
    const hooks = hooksOf(started, name)
    if (!hooks?.auth) throw new PluginError(`Plugin "${name}" does not provide an auth provider.`)
    return hooks.auth(accounts, context)
  })
  assertProviderIds(providers)
  return providers
}

const hooksOf = (started: StartedPlugin[], name: string): Hooks | undefined =>
  started.find((each) => each.name === name)?.hooks
