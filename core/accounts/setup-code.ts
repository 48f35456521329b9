/** The first administrator over the web: whoever shows the code that the server printed when it started without one. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AuthContext } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { SettingsStore } from '../contracts/storage.js'
import type { UserStore } from '../contracts/users.js'
import { AppError, isAppError } from '../errors.js'
import type { AccountsService, NewUser } from './service.js'
import type { OpenedSession } from './sessions.js'
import type { SignInService } from './sign-in.js'

const HOUR_MS = 60 * 60_000
/** Names in the settings store. */
const HASH = 'setup_code_hash'
const ENDS = 'setup_code_ends'

interface Parts {
  users: UserStore
  store: SettingsStore
  accounts: AccountsService
  signIn: SignInService
  audit: Audit
  /** Epoch ms. */
  now: () => number
}

export type SetupCodeService = ReturnType<typeof setupCodeService>

export function setupCodeService({ users, store, accounts, signIn, audit, now }: Parts) {
  // Nobody can take the last administrator away, so that a yes stays true.
  let hasAdmin = false

  async function isNeeded(): Promise<boolean> {
    hasAdmin ||= await users.hasAdmin()
    return !hasAdmin
  }

  /** A new code for an hour, which replaces the one before; null when there is an administrator. It is kept nowhere. */
  async function issue(): Promise<string | null> {
    if (!(await isNeeded())) return null
    const code = randomBytes(32).toString('base64url')
    await store.set({ [HASH]: hashOf(code), [ENDS]: String(now() + HOUR_MS) })
    return code
  }

  /** Makes the first administrator, once. Throws AppError `auth.setup_code`, the same for every reason. */
  async function use(
    { code, ...wanted }: Pick<NewUser, 'username' | 'email' | 'password'> & { code: string },
    visitor: AuthContext,
    client: string,
  ): Promise<OpenedSession> {
    const { [HASH]: hash = NO_HASH, [ENDS]: ends = '0' } = await store.all()
    const isRight = timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(code)))
    if (!isRight || Number(ends) <= now() || !(await isNeeded())) {
      await audit({ action: 'setup.refused', caller: visitor })
      throw new AppError('auth.setup_code')
    }
    const user = await accounts
      .create({ ...wanted, role: 'admin', generated: false }, { unlessAdmin: true })
      .catch((error) => {
        // The name is free: somebody else was faster with the same code.
        throw isAppError(error, 'storage.conflict') ? new AppError('auth.setup_code') : error
      })
    await store.set({ [HASH]: null, [ENDS]: null })
    await audit({ action: 'setup.finished', caller: visitor, subject: user.username })
    return signIn.enter(user, visitor, client)
  }

  return { isNeeded, issue, use }
}

/** A code has 256 bits of chance, so a fast hash is enough. */
const hashOf = (code: string): string => createHash('sha256').update(`mayfly/v1/setup${code}`).digest('hex')

/** Of nothing. */
const NO_HASH = '0'.repeat(64)
