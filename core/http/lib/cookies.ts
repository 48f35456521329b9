/**
 * Cookies: the session token, which scripts cannot read; the username and expiry, which the web app shows and the
 * server never reads; the state of a redirect sign-in while it runs; a sign-in that waits for its second step; the
 * challenge for a passkey; and a known device, which stays after the sign-out.
 */
import type { Context } from 'koa'
import { DEVICE_DAYS } from '../../auth/known-devices.js'
import { CHALLENGE_MS } from '../../auth/passkey-challenge.js'
import { PENDING_MS } from '../../auth/pending-sign-in.js'
import { REDIRECT_MS } from '../../auth/redirect-flow.js'
import type { OpenedSession } from '../../auth/sessions.js'

type CookieName = 'session' | 'public' | 'redirect' | 'device' | 'pending' | 'challenge'

/** Format of a session token. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

export interface SessionCookies {
  /** The session token of the request, or null. */
  token: string | null
  set(session: OpenedSession): void
  /** Deletes the session cookies, and everything that the browser stored for this site except cookies. */
  clear(): void
  /** Encrypted state of the redirect sign-in that the request continues, or null. */
  redirectState: string | null
  /** Cookie of a known device, see core/auth/known-devices.ts; null if absent. */
  device: string | null
  /** null: deletes the cookie. */
  setDevice(cookie: string | null): void
  /** null: deletes the cookie. */
  setRedirectState(encrypted: string | null): void
  /** A sign-in that waits for its second step, encrypted; null if absent. */
  pending: string | null
  /** null: deletes the cookie. */
  setPending(encrypted: string | null): void
  /** The challenge for a passkey, encrypted; null if absent. */
  challenge: string | null
  /** null: deletes the cookie. */
  setChallenge(encrypted: string | null): void
}

/**
 * `isHttps`: whether `publicUrl` is https. Then the prefix `__Host-` keeps out cookies of other hosts and of plain
 * http.
 */
export function sessionCookies(ctx: Context, isHttps: boolean): SessionCookies {
  const name = (cookie: CookieName) => (isHttps ? `__Host-${cookie}` : cookie)
  const secure = isHttps ? '; Secure' : ''
  const write = (session: string, user: string, seconds: number) => {
    const attributes = `; Path=/; Max-Age=${seconds}; SameSite=Strict${secure}`
    ctx.append('Set-Cookie', [
      `${name('session')}=${session}${attributes}; HttpOnly`,
      `${name('public')}=${user}${attributes}`,
    ])
  }
  const read = (cookie: CookieName) => (ctx.req.headers.cookie ? ctx.cookies.get(name(cookie)) : undefined)
  /** An encrypted cookie that pages of this site send, for `ms`; null: deletes it. */
  const writeState = (cookie: CookieName, encrypted: string | null, ms: number, sameSite = 'Strict') => {
    const attributes = `Path=/; Max-Age=${encrypted === null ? 0 : ms / 1000}; SameSite=${sameSite}${secure}; HttpOnly`
    ctx.append('Set-Cookie', `${name(cookie)}=${encrypted ?? ''}; ${attributes}`)
  }
  const token = read('session') ?? ''
  return {
    token: TOKEN.test(token) ? token : null,
    set({ token, username, expiresAt, lastsMs }) {
      const user = JSON.stringify({ username, expirationDate: new Date(expiresAt).toISOString() })
      write(token, Buffer.from(user).toString('base64'), Math.floor(lastsMs / 1000))
    },
    clear() {
      write('', '', 0)
      ctx.set('Clear-Site-Data', '"cache", "storage"')
    },
    device: read('device') || null,
    setDevice: (cookie) => writeState('device', cookie, DEVICE_DAYS * 86_400_000),
    redirectState: read('redirect') || null,
    // Lax: the callback is a navigation from the provider's site.
    setRedirectState: (encrypted) => writeState('redirect', encrypted, REDIRECT_MS, 'Lax'),
    pending: read('pending') || null,
    setPending: (encrypted) => writeState('pending', encrypted, PENDING_MS),
    challenge: read('challenge') || null,
    setChallenge: (encrypted) => writeState('challenge', encrypted, CHALLENGE_MS),
  }
}
