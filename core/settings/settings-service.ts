/** Instance settings: what administrators change at run time. Every process sees a change within 2 s. */

import type { Audit } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { SettingsStore } from '../contracts/storage.js'
import { cacheFor } from '../lib/cache-for.js'
import { AppError, type ErrorCode } from '../lib/errors.js'
import {
  choicesOf,
  INSTANCE_SETTINGS,
  type InstanceSettings,
  isFlag,
  mapSettings,
  SETTING_NAMES,
  type SettingName,
} from '../shared/instance-settings.js'
import { parseDomains } from './email-domains.js'

export interface CurrentSettings extends InstanceSettings {
  /** When `disable_users` was last turned on (epoch ms); 0: never. Ends all sessions of users opened before. */
  usersDisabledAt: number
  /** Sign-up is limited to e-mail domains, and addresses can be verified: users need a verified one. */
  requiresVerifiedEmail: boolean
}

export interface SettingsService {
  /** Up to `CACHE_MS` old, except for changes made by this process. */
  current(): Promise<CurrentSettings>
  /** Changes only the given settings. Throws AppError `request.invalid` with the field. */
  update(changes: SettingsChanges, caller: Pick<AuthContext, 'username' | 'address'>): Promise<InstanceSettings>
  /** The next `current` reads the storage. */
  invalidate(): void
}

export type SettingsChanges = { [Name in SettingName]?: InstanceSettings[Name] | undefined }

interface Deps {
  store: SettingsStore
  audit: Audit
  /** Whether the instance can verify e-mail addresses. */
  canVerifyEmail?: boolean
  /** Called after each change by this process. */
  onChange?: () => void
  /** Epoch ms. */
  now: () => number
}

/** Half of the promised 2 s, which leaves time for a slow read. */
const CACHE_MS = 1000
const USERS_DISABLED_AT = 'users_disabled_at'

export function settingsService({ store, audit, canVerifyEmail = false, onChange, now }: Deps): SettingsService {
  const load = async () => parseStored(await store.getAll(), canVerifyEmail)
  const cache = cacheFor(CACHE_MS, { load, now })

  async function update(changes: SettingsChanges, caller: Pick<AuthContext, 'username' | 'address'>) {
    const before = await load()
    const after = mapSettings(SETTING_NAMES, (name) =>
      normalize(name, changes[name] ?? before[name]),
    ) as InstanceSettings
    const changed = SETTING_NAMES.filter((name) => after[name] !== before[name])
    if (changed.length > 0) {
      const values = Object.fromEntries(changed.map((name) => [name, String(after[name])]))
      const disablesUsers = changed.includes('disable_users') && after.disable_users
      await store.set({ ...values, ...(disablesUsers ? { [USERS_DISABLED_AT]: String(now()) } : {}) })
      cache.clear()
      onChange?.()
    }
    for (const name of changed) {
      const detail = { from: before[name], to: after[name] }
      await audit({ action: 'settings.changed', caller, subject: name, detail })
    }
    return after
  }

  return { current: cache.get, update, invalidate: cache.clear }
}

type Creator = Pick<AuthContext, 'role' | 'emailVerified'>

/** Why a signed-in caller counts as a visitor who creates secrets; null if not. */
export function findEmailRefusal(
  { role, emailVerified }: Creator,
  { requiresVerifiedEmail }: CurrentSettings,
): 'auth.email_unverified' | null {
  return role === 'user' && requiresVerifiedEmail && !emailVerified ? 'auth.email_unverified' : null
}

/** Why the caller cannot create secrets; null if they can. Administrators always can. */
export function findCreateRefusal(caller: Creator, settings: CurrentSettings): ErrorCode | null {
  const { role } = caller
  const { read_only, who_can_create } = settings
  if (role === 'admin') return null
  if (read_only) return 'settings.read_only'
  if (who_can_create === 'anyone') return null
  if (who_can_create === 'users') return role === null ? 'settings.users_only' : findEmailRefusal(caller, settings)
  return 'settings.admins_only'
}

/** Why the caller cannot create requests for secrets; null if they can. */
export function findRequestRefusal(caller: Creator, settings: CurrentSettings): ErrorCode | null {
  const { role } = caller
  if (settings.disable_requests) return 'settings.requests_disabled'
  const refusal = findCreateRefusal(caller, settings)
  if (refusal || role === 'admin' || settings.who_can_request === 'anyone') return refusal
  if (role === null) return 'auth.required'
  return settings.who_can_request === 'users' ? findEmailRefusal(caller, settings) : 'auth.admin_only'
}

/** Throws AppError `settings.read_only`, `settings.users_only`, `settings.admins_only` or `auth.email_unverified`. */
export function assertCanCreate(caller: Creator, settings: CurrentSettings): void {
  const refusal = findCreateRefusal(caller, settings)
  if (refusal) throw new AppError(refusal)
}

/** For what only users may do. Throws AppError `auth.email_unverified`. */
export function assertEmailVerified(caller: Creator, settings: CurrentSettings): void {
  const refusal = findEmailRefusal(caller, settings)
  if (refusal) throw new AppError(refusal)
}

function parseStored(stored: Record<string, string>, canVerifyEmail: boolean): CurrentSettings {
  const values = mapSettings(SETTING_NAMES, (name) => parseValue(name, stored[name])) as InstanceSettings
  const requiresVerifiedEmail = canVerifyEmail && values.restrict_organization_email !== ''
  return { ...values, usersDisabledAt: Number(stored[USERS_DISABLED_AT] ?? 0), requiresVerifiedEmail }
}

function parseValue(name: SettingName, stored: string | undefined): boolean | string {
  if (stored === undefined) return INSTANCE_SETTINGS[name].default
  const choices = choicesOf(name)
  // A value that this version does not know comes from a newer one.
  if (choices) return choices.includes(stored) ? stored : (choices.at(-1) as string)
  return isFlag(name) ? stored === 'true' : stored
}

/** Throws AppError `request.invalid` with the name as field. */
function normalize(name: SettingName, value: boolean | string): boolean | string {
  if (typeof value !== 'string') return value
  const choices = choicesOf(name)
  if (!choices) return parseDomains(name, value).join(',')
  if (choices.includes(value)) return value
  const message = `${name}: must be one of ${choices.join(', ')}`
  throw new AppError('request.invalid', { field: name, message })
}
