import { useSyncExternalStore } from 'react'
import { parseSessionCookie, type SessionInfo } from './session-cookie.js'

/**
 * Who is signed in, as far as pages show it. The source is a cookie that scripts can read and that the server ignores,
 * or else the user that a reverse proxy names.
 */
class SessionStore {
  #cookies = ''
  #cookieSession: SessionInfo | null = null
  #proxySession: SessionInfo | null = null
  #detection: Promise<unknown> = Promise.resolve()
  #listeners = new Set<() => void>()

  /** Returns the same object as long as the cookies do not change. */
  current = (): SessionInfo | null => {
    if (document.cookie !== this.#cookies) {
      this.#cookies = document.cookie
      this.#cookieSession = parseSessionCookie(this.#cookies)
    }
    return this.#cookieSession ?? this.#proxySession
  }

  /** Such a user has no cookie, and a session without an end. Null: the proxy names no user. */
  setProxyUser(username: string | null): void {
    this.#proxySession = username === null ? null : { username, endsAt: Number.POSITIVE_INFINITY }
    this.notify()
  }

  /** For instances with a reverse proxy that names users: `load` waits for its answer. */
  waitFor(proxyUser: Promise<unknown>): void {
    this.#detection = proxyUser
  }

  /** Who is signed in, when that is known. */
  async load(): Promise<SessionInfo | null> {
    if (this.current() === null) await this.#detection
    return this.current()
  }

  /** Call it after everything that may have changed who is signed in. */
  notify(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Also follows changes by other tabs, when this one gets the focus. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    addEventListener('focus', listener)
    return () => {
      this.#listeners.delete(listener)
      removeEventListener('focus', listener)
    }
  }
}

export const sessionStore = new SessionStore()

export const useSession = (): SessionInfo | null => useSyncExternalStore(sessionStore.subscribe, sessionStore.current)
