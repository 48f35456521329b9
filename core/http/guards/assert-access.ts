/** Authorization of a route, from the access rules in the route table. */
import { assertProof, type ProofRule } from '../../auth/proof.js'
import { assertUnrestricted } from '../../auth/second-factor-policy.js'
import { type AuthContext, hasScope, isAdminScope } from '../../contracts/auth-context.js'
import type { Scope } from '../../contracts/tokens.js'
import { AppError } from '../../lib/errors.js'
import type { EpochMs } from '../../shared/epoch-ms.js'
import type { SiteOrigin } from '../lib/site-origin.js'
import type { AppContext } from '../lib/state.js'
import { assertSameOrigin } from './same-origin.js'

export interface AccessRules {
  /**
   * Who may use the route; everyone if absent. `user`: any account, with any scopes of its token. `interactive`: an
   * account without an API token. `session`: an account with a session. A scope: callers that have it.
   */
  requires?: 'user' | 'interactive' | 'session' | Scope
  /** Also anonymous callers. Then `requires` applies to authenticated callers only. */
  allowAnonymous?: true
  /**
   * Same-origin requests only. `authenticated`: if the browser sent the credentials by itself. `always`: in any case.
   */
  sameOrigin?: 'authenticated' | 'always'
  /** Also callers that have to complete the sign-in or add a second factor first, see `AuthContext.restricted`. */
  whileRestricted?: true
  /** Whether a proof within the last ten minutes is required, see `assertProof`. Not with `allowAnonymous`. */
  proof?: ProofRule
}

/** Runs after `authenticate`. Throws AppError `request.cross_site` or `auth.*`. */
export function assertAccess(
  ctx: AppContext,
  rules: AccessRules,
  { origin, now }: { origin: SiteOrigin; now: EpochMs },
): void {
  const { requires, allowAnonymous, sameOrigin, whileRestricted, proof } = rules
  const { caller, isAmbient, authError } = ctx.state
  if (sameOrigin === 'always' || (sameOrigin && isAmbient)) assertSameOrigin(ctx, origin)
  if (!whileRestricted) assertUnrestricted(caller)
  if (!requires) return
  if (authError) throw authError
  if (!(allowAnonymous && caller.userId === null)) assertAllowed(caller, requires)
  if (proof) assertProof(caller, proof, now)
}

function assertAllowed(caller: AuthContext, requires: NonNullable<AccessRules['requires']>): void {
  const { userId, role, sessionId, tokenId, scopes, mustChangePassword, restricted } = caller
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
      // A restricted caller does not have scopes: `whileRestricted` has let it pass.
      if (restricted === null && !hasScope(scopes, requires)) throw new AppError('auth.scope')
  }
}
