/** The instance's settings, asked for once when the app starts. */
import { createContext, type PropsWithChildren, useContext, useState } from 'react'
import type { PublicSettings } from '#shared/api'
import { ACCOUNT_PASSWORD_MAX, ACCOUNT_PASSWORD_MIN, MAX_VIEWS, TTL_MIN } from '#shared/limits'
import { api } from './api.js'

/** What the server announced, or what an instance has unless its operator changed it. */
export interface Answer {
  status: 'loaded' | 'error'
  settings: PublicSettings
}

interface SettingsState extends Answer {
  /** Asks again after an error. What is on the screen stays there: it may be a secret that was just opened. */
  retry(): void
  isRetrying: boolean
}

const DEFAULTS: PublicSettings = {
  disable_users: false,
  disable_user_account_creation: false,
  read_only: false,
  disable_file_upload: false,
  limits: {
    maxTextBytes: 2 ** 20,
    ttlMin: TTL_MIN,
    ttlMax: 7 * 24 * 60 * 60,
    maxViews: MAX_VIEWS,
    maxFileBytes: 100 * 2 ** 20,
    maxFiles: 20,
    passwordMin: ACCOUNT_PASSWORD_MIN,
    passwordMax: ACCOUNT_PASSWORD_MAX,
  },
  uploads: true,
  signUp: true,
  organizationEmail: false,
  setUp: false,
  providers: [{ id: 'local', label: '', kind: 'password' }],
  address: null,
  version: '',
}

const Settings = createContext<SettingsState>({ status: 'loaded', settings: DEFAULTS, retry() {}, isRetrying: false })

export const useSettings = () => useContext(Settings)

/** Asks the server. Never rejects. */
export const askForSettings = (): Promise<Answer> =>
  api.settings().then(
    (settings) => ({ status: 'loaded', settings }),
    () => ({ status: 'error', settings: DEFAULTS }),
  )

/** `first`: the answer with which the app starts. */
export function SettingsProvider({ first, children }: PropsWithChildren<{ first: Answer }>) {
  const [answer, setAnswer] = useState(first)
  const [isRetrying, setRetrying] = useState(false)
  async function retry(): Promise<void> {
    if (isRetrying) return
    setRetrying(true)
    setAnswer(await askForSettings())
    setRetrying(false)
  }
  return <Settings value={{ ...answer, retry, isRetrying }}>{children}</Settings>
}
