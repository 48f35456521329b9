/** The instance settings: what administrators change while the instance runs. Every process sees a change within 2 s. */
import type { SettingsStore } from '../contracts/storage.js'

export interface InstanceSettings {
  read_only: boolean
  disable_users: boolean
  disable_user_account_creation: boolean
  disable_file_upload: boolean
  /** Empty, or the e-mail domains that accounts are limited to. */
  restrict_organization_email: string
}

export interface SettingsService {
  /** At most `CACHE_MS` old. */
  current(): Promise<InstanceSettings>
}

/** Half of the 2 s within which a change must be seen, so that a slow read still keeps the promise. */
const CACHE_MS = 1000

export function settingsService(store: SettingsStore, now: () => number): SettingsService {
  let cached: { at: number; settings: Promise<InstanceSettings> } | null = null
  return {
    current() {
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
    },
  }
}

function fromStored(stored: Record<string, string>): InstanceSettings {
  return {
    read_only: stored.read_only === 'true',
    disable_users: stored.disable_users === 'true',
    disable_user_account_creation: stored.disable_user_account_creation === 'true',
    disable_file_upload: stored.disable_file_upload === 'true',
    restrict_organization_email: stored.restrict_organization_email ?? '',
  }
}
