/** The account use cases, bound to their dependencies: what users do with their own accounts. */
import type { AuthContext } from '../contracts/auth-context.js'
import type { Account, Verified } from '../shared/api/index.js'
import type { AccountDeps } from './account-deps.js'
import { toAccount } from './account-mapping.js'
import { createAccount, signUp } from './create-account.js'
import { deleteAccount, deleteOwnAccount } from './delete-account.js'
import { canSignUp, listSignInMethods } from './sign-in-methods.js'
import { setPassword, updateAccount } from './update-account.js'
import { assertRecentSignIn, loadSelf } from './verify-caller.js'

export type AccountsService = ReturnType<typeof accountsService>

export const accountsService = (deps: AccountDeps) => ({
  listSignInMethods: listSignInMethods.bind(null, deps),
  canSignUp: canSignUp.bind(null, deps),
  signUp: signUp.bind(null, deps),
  create: createAccount.bind(null, deps),
  setPassword: setPassword.bind(null, deps),
  verify: verifyAccount.bind(null, deps),
  read: readAccount.bind(null, deps),
  update: updateAccount.bind(null, deps),
  remove: deleteOwnAccount.bind(null, deps),
  delete: deleteAccount.bind(null, deps),
  assertRecentSignIn: assertRecentSignIn.bind(null, deps),
})

/** The caller's own account. Throws AppError `auth.required`. */
async function readAccount(deps: AccountDeps, caller: AuthContext): Promise<Account> {
  return toAccount(await loadSelf(deps, caller))
}

/** Identifies the caller. Throws AppError `auth.required`. */
async function verifyAccount(deps: AccountDeps, caller: AuthContext): Promise<Verified> {
  const { username, role, mustChangePassword: generated } = await loadSelf(deps, caller)
  return { username, role, generated }
}
