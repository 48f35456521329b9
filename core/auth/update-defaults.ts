/** Defaults of the forms of a user. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError } from '../lib/errors.js'
import { assertDefaultsFollowPolicy } from '../settings/policy-rules.js'
import type { Account, SetDefaults } from '../shared/api/index.js'
import { toAccount } from './account-mapping.js'

/** Null removes a default. Throws AppError `settings.policy`, `request.invalid` or `auth.required`. */
export async function updateDefaults(app: App, body: SetDefaults, caller: AuthContext): Promise<Account> {
  await assertDefaultsFollowPolicy(app, body, caller)
  const { ttl, views } = body
  const changes = {
    ...(ttl !== undefined && { defaultTtl: ttl }),
    ...(views !== undefined && { defaultViews: views }),
  }
  const changed = caller.userId === null ? null : await app.storage.users.update(caller.userId, changes)
  if (!changed) throw new AppError('auth.required')
  return toAccount(changed)
}
