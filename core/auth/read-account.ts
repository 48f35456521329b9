/** The caller's own account. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Account, Verified } from '../shared/api/index.js'
import { toAccount } from './account-mapping.js'
import { loadSelf } from './verify-caller.js'

/** Throws AppError `auth.required`. */
export async function readAccount(app: App, caller: AuthContext): Promise<Account> {
  return toAccount(await loadSelf(app, caller))
}

/** Identifies the caller. Throws AppError `auth.required`. */
export async function verifyAccount(app: App, caller: AuthContext): Promise<Verified> {
  const { username, role, mustChangePassword: generated } = await loadSelf(app, caller)
  return { username, role, generated }
}
