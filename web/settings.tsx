/** The instance's settings, asked for once when the app starts. */
import { createContext, type PropsWithChildren, useContext, useEffect, useState } from 'react'
import type { PublicSettings } from '#shared/api'
import { ACCOUNT_PASSWORD_MAX, ACCOUNT_PASSWORD_MIN, MAX_VIEWS, TTL_MIN } from '#shared/limits'
import { api } from './api.js'

type Status = 'loading' | 'loaded' | 'error'

interface SettingsState {
  status: Status
  /** What the server announced, or what an instance has unless its operator changed it. */
  settings: PublicSettings
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
  setUp: false,
  providers: [{ id: 'local', label: '', kind: 'password' }],
  address: null,
  version: '',
}

const Settings = createContext<SettingsState>({ status: 'loading', settings: DEFAULTS, retry() {}, isRetrying: false })

export const useSettings = () => useContext(Settings)

/** `first`: the request that is already on its way. */
export function SettingsProvider({ first, children }: PropsWithChildren<{ first: Promise<PublicSettings> }>) {
  const [request, setRequest] = useState<Promise<PublicSettings> | null>(first)
  const [state, setState] = useState<{ status: Status; settings: PublicSettings }>({
    status: 'loading',
    settings: DEFAULTS,
  })
  useEffect(() => {
    request
      ?.then(
        (settings) => setState({ status: 'loaded', settings }),
        () => setState({ status: 'error', settings: DEFAULTS }),
      )
      .finally(() => setRequest(null))
  }, [request])
  const retry = () => setRequest(request ?? api.settings())
  return <Settings value={{ ...state, retry, isRetrying: request !== null }}>{children}</Settings>
}
