import { api } from '../../lib/api.js'
import { sessionStore } from '../../lib/session/session-store.js'

/**
 * Asks who the reverse proxy says the user is. For instances with such a proxy: elsewhere it would be a wasted request.
 */
export async function detectProxyUser(): Promise<void> {
  if (sessionStore.current()) return
  try {
    sessionStore.setProxyUser((await api.verify()).username)
  } catch {
    // The proxy names no user: the caller is a visitor.
  }
}
