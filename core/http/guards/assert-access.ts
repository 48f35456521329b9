/** Authorization of a route, from the access rules in the route table. */
import { type AuthContext, hasScope, isAdminScope } from '../../contracts/auth-context.js'
import type { Scope } from '../../contracts/tokens.js'
import { AppError } from '../../lib/errors.js'
import type { SiteOrigin } from '../lib/site-origin.js'
import type { AppContext } from '../lib/state.js'
import { assertSameOrigin } from './same-origin.js'

export interface AccessRules {
  /**
   * Who may use the route; everyone if absent. `user`: any account, whatever the scopes of its token. `interactive`: an
   * account without an API token. `session`: an account with a session. A scope: callers that have it.
   */
  requires?: 'user' | 'interactive' | 'session' | Scope
  /** Also anonymous callers. Then `requires` applies to authenticated callers only. */
  allowAnonymous?: true
  /**
   * Same-origin requests only. `authenticated`: if the browser sent the credentials by itself. `always`: in any case.
   */
  sameOrigin?: 'authenticated' | 'always'
}

/** Runs after `authenticate`. Throws AppError `request.cross_site` or `auth.*`. */
export function assertAccess(ctx: AppContext, rules: AccessRules, origin: SiteOrigin): void {
  const { requires, allowAnonymous, sameOrigin } = rules
  const { caller, isAmbient, authError } = ctx.state
  if (sameOrigin === 'always' || (sameOrigin && isAmbient)) assertSameOrigin(ctx, origin)
  if (!requires) return
  if (authError) throw authError
  if (!(allowAnonymous && caller.userId === null)) assertAllowed(caller, requires)
}

function assertAllowed(caller: AuthContext, requires: NonNullable<AccessRules['requires']>): void {
  const { userId, role, sessionId, tokenId, scopes, mustChangePassword } = caller
  if (userId === null) throw new AppError('auth.required')
  switch (requires) {
    case 'user':
      return
    case 'session':
      if (sessionId === null) throw new AppError('auth.required')
      return
    case 'interactive':
      if (tokenId !== null) throw new AppError('auth.scope')
      return
    default:
      if (isAdminScope(requires) && role !== 'admin') throw new AppError('auth.admin_only')
      if (isAdminScope(requires) && mustChangePassword) throw new AppError('auth.password_change')
      if (!hasScope(scopes, requires)) throw new AppError('auth.scope')
  }
}
