/** Instance settings, which administrators change at run time. Every process applies a change within 2 s. */

import type { Audit, Note } from '../contracts/audit.js'
import type { AuthProvider } from '../contracts/auth-provider.js'
import type { Storage } from '../contracts/storage.js'
import { cacheFor } from '../lib/cache-for.js'
import { fieldError } from '../lib/errors.js'
import { parseDomainList } from '../shared/domains.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import {
  choicesOf,
  INSTANCE_SETTINGS,
  type InstanceSettings,
  isFlag,
  mapSettings,
  SETTING_NAMES,
  type SettingName,
} from '../shared/instance-settings.js'
import type { Policies } from '../shared/policies.js'
import type { Preset } from '../shared/presets.js'
import type { PluginSetting } from './plugin-setting-schemas.js'
import { createPluginSettings, type PluginSettings } from './plugin-settings.js'
import { createSettingsDocument, POLICIES, PRESETS, type SettingsDocument } from './settings-documents.js'

export interface CurrentSettings extends InstanceSettings {
  /** When `disable_users` was last turned on; 0: never. Ends all sessions of users opened before. */
  usersDisabledAt: EpochMs
  /** When `second_factor` last began to require one of more accounts; 0: never. */
  secondFactorSince: EpochMs
  /** Sign-up is limited to e-mail domains, and addresses can be verified: users need a verified one. */
  requiresVerifiedEmail: boolean
  /** Ids of the providers that decide who may create secrets. */
  creationDeciders: readonly string[]
  /** Ids of all providers. */
  providers: readonly string[]
  /** The same object until they change. */
  policies: Policies
  /** In the order in which they are shown. */
  presets: Preset[]
  /** True until the instance has an administrator. */
  needsSetup: boolean
}

export interface Settings {
  /** Up to `CACHE_MS` old, except for changes made by this process. */
  current(): Promise<CurrentSettings>
  /** Changes only the given settings. Throws AppError `request.invalid` with the field. */
  update(changes: SettingsChanges, caller: Note['caller']): Promise<InstanceSettings>
  policies: SettingsDocument<Policies>
  presets: SettingsDocument<Preset[]>
  /** The next `current`, and the next `get` of a plugin's setting, reads the storage. */
  invalidate(): void
  /** The settings that plugins declare. */
  plugins: PluginSettings
  /** Whether a plugin sends e-mail, so that the instance can verify addresses. Fixed at start. */
  canVerifyEmail: boolean
}

export type SettingsChanges = { [Name in SettingName]?: InstanceSettings[Name] | undefined }

interface Parts {
  storage: { settings: Storage['settings']; users: Pick<Storage['users'], 'hasAdmin'> }
  audit: Audit
  canVerifyEmail: boolean
  /** The auth providers. */
  providers: () => Pick<AuthProvider, 'id' | 'decidesCreation'>[]
  /** Settings of the plugins. */
  definitions: PluginSetting[]
  /** Called after each change by this process. */
  onChange: () => void
  now: () => EpochMs
}

/** Half of the promised 2 s, which leaves time for a slow read. */
const CACHE_MS = 1000
const USERS_DISABLED_AT = 'users_disabled_at'
const SECOND_FACTOR_SINCE = 'second_factor_since'

export function createSettings(parts: Parts): Settings {
  const { storage, audit, canVerifyEmail, providers, definitions, onChange, now } = parts
  const { settings: store, users } = storage
  const plugins = createPluginSettings({ store, definitions, audit, onChange, now })
  const documentParts = {
    store,
    audit,
    onChange() {
      cache.clear()
      onChange()
    },
  }
  const policies = createSettingsDocument(documentParts, POLICIES)
  const presets = createSettingsDocument(documentParts, PRESETS)
  // The last administrator cannot be removed, so `true` never changes.
  let hasAdmin = false

  async function load(): Promise<CurrentSettings> {
    const stored = await store.getAll()
    hasAdmin ||= await users.hasAdmin()
    const values = mapSettings(SETTING_NAMES, (name) => parseSetting(name, stored[name])) as InstanceSettings
    return {
      ...values,
      usersDisabledAt: Number(stored[USERS_DISABLED_AT] ?? 0),
      secondFactorSince: Number(stored[SECOND_FACTOR_SINCE] ?? 0),
      requiresVerifiedEmail: canVerifyEmail && values.restrict_organization_email !== '',
      providers: providers().map(({ id }) => id),
      policies: policies.parse(stored),
      presets: presets.parse(stored),
      creationDeciders: providers().flatMap(({ id, decidesCreation }) => (decidesCreation ? [id] : [])),
      needsSetup: !hasAdmin,
    }
  }

  const cache = cacheFor(CACHE_MS, { load, now })

  async function update(changes: SettingsChanges, caller: Note['caller']) {
    const before = await load()
    const after = mapSettings(SETTING_NAMES, (name) =>
      normalize(name, changes[name] ?? before[name]),
    ) as InstanceSettings
    const changed = SETTING_NAMES.filter((name) => after[name] !== before[name])
    if (changed.length > 0) {
      const values = Object.fromEntries(changed.map((name) => [name, String(after[name])]))
      const disablesUsers = changed.includes('disable_users') && after.disable_users
      await store.set({
        ...values,
        ...(disablesUsers && { [USERS_DISABLED_AT]: String(now()) }),
        ...(requiresMoreFactors(before, after) && { [SECOND_FACTOR_SINCE]: String(now()) }),
      })
      cache.clear()
      onChange()
    }
    for (const name of changed) {
      const detail = { from: before[name], to: after[name] }
      await audit.note({ action: 'settings.changed', caller, subject: name, detail })
    }
    return after
  }

  function invalidate(): void {
    cache.clear()
    plugins.invalidate()
  }

  return {
    current: cache.get,
    update,
    policies,
    presets,
    invalidate,
    plugins,
    canVerifyEmail,
  }
}

/** Whether a change requires a second factor of accounts that did not need one before. */
function requiresMoreFactors(before: InstanceSettings, after: InstanceSettings): boolean {
  const strictness = ({ second_factor }: InstanceSettings) => ['administrators', 'everyone'].indexOf(second_factor)
  return strictness(after) > strictness(before)
}

/** The value of a stored text; undefined: not stored. */
export function parseSetting(name: SettingName, stored: string | undefined): boolean | string {
  if (stored === undefined) return INSTANCE_SETTINGS[name].default
  const choices = choicesOf(name)
  // An unknown value comes from a newer version.
  if (choices) return choices.includes(stored) ? stored : (choices.at(-1) as string)
  return isFlag(name) ? stored === 'true' : stored
}

/** Throws AppError `request.invalid` with the name as field. */
function normalize(name: SettingName, value: boolean | string): boolean | string {
  if (typeof value !== 'string') return value
  const choices = choicesOf(name)
  if (!choices) {
    const domains = parseDomainList(value)
    // No address could match a name that is not an ASCII domain.
    if (!domains) throw fieldError(name, 'must be e-mail domains joined by commas, such as example.org')
    return domains.join(',')
  }
  if (choices.includes(value)) return value
  throw fieldError(name, `must be one of ${choices.join(', ')}`)
}
