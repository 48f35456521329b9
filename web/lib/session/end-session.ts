import { sessionStore } from './session-store.js'

const COOKIES = ['public', '__Host-public']

/**
 * Deletes the cookie that pages read, so that they no longer show a user as signed in: after signing out, also when the
 * server could not be reached, and when the session has ended.
 */
export function endSession(): void {
  for (const name of COOKIES) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain HTTP
    document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Strict${name.startsWith('__') ? '; Secure' : ''}`
  }
  sessionStore.notify()
}
