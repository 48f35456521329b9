/** The instance settings: what administrators change while the instance runs. Every process sees a change within 2 s. */
import type { Caller } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { SettingsStore } from '../contracts/storage.js'
import { AppError } from '../errors.js'
import type { InstanceSettings } from '../shared/api.js'
import { domainsOf } from './domains.js'

/** What the services obey. */
export interface CurrentSettings extends InstanceSettings {
  /** When `disable_users` was last turned on, in epoch ms; 0: never. Sessions from before are over for good. */
  usersDisabledAt: number
}

export interface SettingsService {
  /** At most `CACHE_MS` old; of this process's own changes, not at all. */
  current(): Promise<CurrentSettings>
  /** What is absent stays as it is. Throws AppError `request.invalid` naming the field. */
  update(changes: SettingsChanges, caller: Pick<Caller, 'username' | 'address'>): Promise<InstanceSettings>
}

export type SettingsChanges = { [Name in keyof InstanceSettings]?: InstanceSettings[Name] | undefined }

interface Parts {
  store: SettingsStore
  audit: Audit
  /** Epoch ms. */
  now: () => number
}

/** Half of the 2 s within which a change must be seen, so that a slow read still keeps the promise. */
const CACHE_MS = 1000
const USERS_DISABLED_AT = 'users_disabled_at'

export function settingsService({ store, audit, now }: Parts): SettingsService {
  let cached: { at: number; settings: Promise<CurrentSettings> } | null = null

  function current(): Promise<CurrentSettings> {
    const at = now()
    if (cached && at >= cached.at && at - cached.at < CACHE_MS) return cached.settings
    const settings = store.all().then(fromStored)
    const mine = { at, settings }
    cached = mine
    // A failed read is not kept: the next caller asks again.
    settings.catch(() => {
      if (cached === mine) cached = null
    })
    return settings
  }

  async function update(changes: SettingsChanges, caller: Pick<Caller, 'username' | 'address'>) {
    const before = fromStored(await store.all())
    const after = { ...shown(before), ...present(changes) }
    after.restrict_organization_email = domainsOf(after.restrict_organization_email).join(',')
    const changed = (Object.keys(after) as (keyof InstanceSettings)[]).filter((name) => after[name] !== before[name])
    if (changed.length > 0) {
      const values = Object.fromEntries(changed.map((name) => [name, String(after[name])]))
      const isClosing = changed.includes('disable_users') && after.disable_users
      await store.set({ ...values, ...(isClosing ? { [USERS_DISABLED_AT]: String(now()) } : {}) })
      cached = null
    }
    for (const name of changed) {
      await audit({
        action: 'settings.changed',
        caller,
        subject: name,
        detail: { from: before[name], to: after[name] },
      })
    }
    return after
  }

  return { current, update }
}

/** Throws AppError `settings.read_only`: what is created then, administrators create. */
export function checkMayCreate({ role }: Pick<Caller, 'role'>, { read_only }: CurrentSettings): void {
  if (read_only && role !== 'admin') throw new AppError('settings.read_only')
}

/** The five that people see. */
export function shown({ usersDisabledAt: _, ...settings }: CurrentSettings): InstanceSettings {
  return settings
}

function fromStored(stored: Record<string, string>): CurrentSettings {
  return {
    read_only: stored.read_only === 'true',
    disable_users: stored.disable_users === 'true',
    disable_user_account_creation: stored.disable_user_account_creation === 'true',
    disable_file_upload: stored.disable_file_upload === 'true',
    restrict_organization_email: stored.restrict_organization_email ?? '',
    usersDisabledAt: Number(stored[USERS_DISABLED_AT] ?? 0),
  }
}

const present = (changes: SettingsChanges) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<InstanceSettings>
