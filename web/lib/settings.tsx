/** The public settings of the instance, loaded once when the app starts. */
import { createContext, type PropsWithChildren, useContext, useState } from 'react'
import type { PublicSettings } from '#shared/api'
import { defaultPublicSettings } from '#shared/instance-settings'
import { ACCOUNT_PASSWORD_MAX, ACCOUNT_PASSWORD_MIN, MAX_VIEWS, TTL_MIN } from '#shared/limits'
import { api } from './api.js'

/** The settings of the server, or the defaults when they could not be loaded. */
export interface LoadedSettings {
  status: 'loaded' | 'error'
  settings: PublicSettings
}

interface SettingsState extends LoadedSettings {
  /** Loads the settings again. The page stays as it is: it may show a secret that was just opened. */
  retry(): void
  isRetrying: boolean
}

const DEFAULTS: PublicSettings = {
  ...defaultPublicSettings(),
  limits: {
    maxTextBytes: 2 ** 20,
    ttlMin: TTL_MIN,
    ttlMax: 7 * 24 * 60 * 60,
    ttlMaxUser: 28 * 24 * 60 * 60,
    maxViews: MAX_VIEWS,
    maxFileBytes: 100 * 2 ** 20,
    maxFiles: 20,
    passwordMin: ACCOUNT_PASSWORD_MIN,
    passwordMax: ACCOUNT_PASSWORD_MAX,
    // A page that does not know these periods promises nothing.
    readGraceSeconds: 0,
    downloadGraceSeconds: 0,
  },
  policy: {
    lifetimes: [{ min: TTL_MIN, max: 7 * 24 * 60 * 60 }],
    ttl: 86_400,
    views: 1,
    unlimitedViews: true,
    files: true,
    passwordRequired: false,
    addressRequired: false,
  },
  presets: [],
  canCreate: true,
  emailUnverified: false,
  deniedByGroups: false,
  uploads: true,
  requests: false,
  signUp: true,
  organizationEmail: false,
  setUp: false,
  providers: [{ id: 'local', label: '', kind: 'password' }],
  passwordReset: false,
  notifications: false,
  canNotify: false,
  webhooks: false,
  emailVerification: false,
  address: null,
  role: 'all',
  version: '',
}

const Settings = createContext<SettingsState>({ status: 'loaded', settings: DEFAULTS, retry() {}, isRetrying: false })

export const useSettings = () => useContext(Settings)

/** Never rejects. */
export const loadSettings = (): Promise<LoadedSettings> =>
  api.settings().then(
    (settings) => ({ status: 'loaded', settings }),
    () => ({ status: 'error', settings: DEFAULTS }),
  )

export function SettingsProvider({ initial, children }: PropsWithChildren<{ initial: LoadedSettings }>) {
  const [loaded, setLoaded] = useState(initial)
  const [isRetrying, setRetrying] = useState(false)
  async function retry(): Promise<void> {
    if (isRetrying) return
    setRetrying(true)
    setLoaded(await loadSettings())
    setRetrying(false)
  }
  return <Settings value={{ ...loaded, retry, isRetrying }}>{children}</Settings>
}
