/**
 * The two cookies of somebody who is signed in: the session's token, which no script reads, and who they are and until
 * when, which scripts show and nothing here reads. A third is there while they sign in at another site.
 */
import type { Context } from 'koa'
import { REDIRECT_MS } from '../accounts/redirects.js'
import type { OpenedSession } from '../accounts/sessions.js'

/** What `SessionCookies.token` may be; anything else is no cookie of ours. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

export interface SessionCookies {
  /** The session that the request came with. */
  token: string | null
  set(opened: OpenedSession): void
  /** Tells the browser to forget them, and what it has kept of this instance. */
  clear(): void
  /** What the browser keeps while somebody signs in at another site; null: nothing. */
  kept: string | null
  /** null: forget it. */
  keep(sealed: string | null): void
}

/** `isHttps`: whether people come by https, which the config tells. The prefix keeps other hosts and plain http out. */
export function sessionCookies(ctx: Context, isHttps: boolean): SessionCookies {
  const name = (of: 'session' | 'public' | 'redirect') => (isHttps ? `__Host-${of}` : of)
  const secure = isHttps ? '; Secure' : ''
  const put = (session: string, shown: string, seconds: number) => {
    const rest = `; Path=/; Max-Age=${seconds}; SameSite=Strict${secure}`
    ctx.append('Set-Cookie', [`${name('session')}=${session}${rest}; HttpOnly`, `${name('public')}=${shown}${rest}`])
  }
  const token = ctx.cookies.get(name('session')) ?? ''
  return {
    token: TOKEN.test(token) ? token : null,
    set({ token, username, expiresAt, lastsMs }) {
      const shown = JSON.stringify({ username, expirationDate: new Date(expiresAt).toISOString() })
      put(token, Buffer.from(shown).toString('base64'), Math.floor(lastsMs / 1000))
    },
    clear() {
      put('', '', 0)
      ctx.set('Clear-Site-Data', '"cache", "storage"')
    },
    kept: ctx.cookies.get(name('redirect')) || null,
    keep(sealed) {
      // Lax: the way back comes from the other site.
      const rest = `Path=/; Max-Age=${sealed === null ? 0 : REDIRECT_MS / 1000}; SameSite=Lax${secure}; HttpOnly`
      ctx.append('Set-Cookie', `${name('redirect')}=${sealed ?? ''}; ${rest}`)
    },
  }
}
