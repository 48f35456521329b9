/** What a call asks of its caller, as data; enforced here and nowhere else. */
import type { Context, Next } from 'koa'
import type { AuthContext } from '../caller.js'
import type { Scope } from '../contracts/tokens.js'
import { AppError } from '../errors.js'
import { refuseCrossSite } from './csrf.js'
import type { Places } from './origins.js'

export interface Guarded {
  /**
   * Who may call; without it, anyone. `user`: somebody with an account, whatever their token is limited to. `person`: not
   * a program with a token. `session`: with a session of their own. A scope: whoever may do that.
   */
  needs?: 'user' | 'person' | 'session' | Scope
  /** Visitors too: `needs` is about the tokens of those who are not. */
  visitors?: true
  /** Only from pages of ours: `signed-in` where a cookie says who calls, `always` also where none does. */
  ownPages?: 'signed-in' | 'always'
}

/** Koa middleware, after `authenticate`. Throws AppError `request.cross_site` or `auth.*`. */
export function guard({ needs, visitors, ownPages }: Guarded, places: Places) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ownPages === 'always' || (ownPages && ctx.state.isAmbient)) refuseCrossSite(ctx, places)
    if (needs) {
      if (ctx.state.refusal) throw ctx.state.refusal
      check(ctx.state.caller, needs, visitors === true)
    }
    await next()
  }
}

function check({ userId, role, sessionId, tokenId, scopes }: AuthContext, needs: string, visitors: boolean): void {
  if (userId === null) {
    if (visitors) return
    throw new AppError('auth.required')
  }
  if (needs === 'user') return
  if (needs === 'session' && sessionId === null) throw new AppError('auth.required')
  if (needs === 'session' || (needs === 'person' && tokenId === null)) return
  if (needs === 'admin' && role !== 'admin') throw new AppError('auth.admin_only')
  if (!scopes.includes(needs as Scope)) throw new AppError('auth.scope')
}
