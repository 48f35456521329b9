import { redirectDocument } from 'react-router'
import { ApiError } from '#shared/client/client'
import { api } from '../../lib/api.js'
import { clearCollectLinks } from '../../lib/collect-links/kept-collect-links.js'
import { storeLastOptions } from '../../lib/last-options.js'
import { clearLabels } from '../../lib/secret-labels.js'
import { endSession } from '../../lib/session/end-session.js'
import { sessionStore } from '../../lib/session/session-store.js'
import { signOut } from './auth-api.js'

/**
 * `none`: there was no session. `here`: the server could not be reached, so it keeps the session until it expires.
 * `proxy-session`: a reverse proxy signs the user in again at once.
 */
export interface SignOutResult {
  outcome: 'ended' | 'none' | 'here' | 'proxy-session'
}

/**
 * Signs out, also when the server cannot be reached, and redirects to the sign-out URL of the reverse proxy, if any.
 */
export async function signOutUser(): Promise<SignOutResult> {
  const wasSignedIn = sessionStore.current() !== null
  const isServerDone = await signOut().then(
    () => true,
    (error) => error instanceof ApiError && error.status === 401,
  )
  endSession()
  clearLabels()
  storeLastOptions(null)
  await clearCollectLinks()
  if (!isServerDone) return { outcome: 'here' }
  const proxy = await findProxy()
  if (!proxy) return { outcome: wasSignedIn ? 'ended' : 'none' }
  if (proxy.signOutUrl === undefined) return { outcome: 'proxy-session' }
  throw redirectDocument(new URL(proxy.signOutUrl, location.href).href)
}

/** The reverse proxy that still signs the user in, if any. */
async function findProxy() {
  try {
    const proxy = (await api.settings()).providers.find(({ kind }) => kind === 'header')
    if (!proxy) return undefined
    sessionStore.setProxyUser((await api.verify()).username)
    return proxy
  } catch {
    sessionStore.setProxyUser(null)
    return undefined
  }
}
