/** Who is signed in, as far as a page knows: from a cookie that is there to be shown, and that no server reads. */
import { useSyncExternalStore } from 'react'
import { type Login, loginIn } from './session-cookie.js'

let last = ''
let login: Login | null = null
let vouched: Login | null = null
const listeners = new Set<() => void>()

/** The same object as long as the cookies are the same. */
export function currentLogin(): Login | null {
  if (document.cookie !== last) {
    last = document.cookie
    login = loginIn(last)
  }
  return login ?? vouched
}

/** Somebody whom a reverse proxy vouches for has no cookie, and is signed in for as long as it does. null: nobody. */
export function vouchFor(username: string | null): void {
  vouched = username === null ? null : { username, endsAt: Number.POSITIVE_INFINITY }
  loginChanged()
}

/** Follows other tabs when this one is looked at again. */
export const useLogin = (): Login | null => useSyncExternalStore(follow, currentLogin)

/** To be called after whatever may have changed who is signed in. */
export function loginChanged(): void {
  for (const tell of listeners) tell()
}

function follow(tell: () => void): () => void {
  listeners.add(tell)
  addEventListener('focus', tell)
  return () => {
    listeners.delete(tell)
    removeEventListener('focus', tell)
  }
}
