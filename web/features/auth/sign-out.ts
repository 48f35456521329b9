import { redirectDocument } from 'react-router'
import { ApiError } from '#shared/client'
import { api } from '../../lib/api.js'
import { sessionStore } from '../../lib/session/session-store.js'
import { signOut } from './auth-api.js'

const COOKIES = ['public', '__Host-public']

/**
 * `here`: the server could not be told, so the session goes on there until its time is over. `vouched`: a reverse proxy in front
 * of the site says at once who this is, as before.
 */
export interface SignOutResult {
  outcome: 'ended' | 'here' | 'vouched'
}

/** Signs out, whatever the server says to it, and leads on to where the proxy is signed out of. */
export async function signOutUser(): Promise<SignOutResult> {
  const isTold = await signOut().then(
    () => true,
    (error) => error instanceof ApiError && error.status === 401,
  )
  deleteSessionCookies()
  if (!isTold) return { outcome: 'here' }
  const proxy = await findProxy()
  if (!proxy) return { outcome: 'ended' }
  if (proxy.signOutUrl === undefined) return { outcome: 'vouched' }
  throw redirectDocument(new URL(proxy.signOutUrl, location.href).href)
}

/** The reverse proxy that says who this is still, if there is one. */
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

/** When the server cannot be told: nobody is signed in here any more, as far as pages show. */
function deleteSessionCookies(): void {
  for (const name of COOKIES) {
    // biome-ignore lint/suspicious/noDocumentCookie: the API that replaces it is missing on plain http
    document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Strict${name.startsWith('__') ? '; Secure' : ''}`
  }
  sessionStore.notify()
}
