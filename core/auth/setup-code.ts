/** Setup code: lets the operator create the first administrator over the web. The server prints it when it starts without one. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Audit } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { InstanceStateStore } from '../contracts/storage.js'
import type { User, UserStore } from '../contracts/users.js'
import { cacheFor } from '../lib/cache-for.js'
import { AppError, isAppError } from '../lib/errors.js'
import type { AccountsService } from './account-service.js'
import type { NewUser } from './create-account.js'
import type { EmailVerificationService } from './email-verification.js'
import type { OpenedSession } from './session-service.js'
import type { SignInService } from './sign-in.js'

const HOUR_MS = 60 * 60_000
const CACHE_MS = 1000
/** Names in the instance state. */
export const SETUP_CODE_HASH = 'setup_code_hash'
export const SETUP_CODE_ENDS = 'setup_code_ends'

interface Deps {
  users: Pick<UserStore, 'hasAdmin'>
  state: InstanceStateStore
  accounts: Pick<AccountsService, 'create'>
  signIn: Pick<SignInService, 'openSession'>
  verification: Pick<EmailVerificationService, 'send'>
  audit: Audit
  /** Epoch ms. */
  now: () => number
}

export type SetupCodeService = ReturnType<typeof setupCodeService>

export function setupCodeService({ users, state, accounts, signIn, verification, audit, now }: Deps) {
  // The last administrator cannot be removed, so `true` never changes.
  let hasAdmin = false

  async function isNeeded(): Promise<boolean> {
    hasAdmin ||= await users.hasAdmin()
    return !hasAdmin
  }

  const cache = cacheFor(CACHE_MS, { load: isNeeded, now })

  /** Like `isNeeded`, but up to a second old: every page asks. */
  const isNeededCached = async (): Promise<boolean> => !hasAdmin && (await cache.get())

  /** Creates a code that replaces the previous one and is valid for an hour. Null when an administrator exists. Only a hash is stored. */
  async function issue(): Promise<string | null> {
    if (!(await isNeeded())) return null
    const code = randomBytes(32).toString('base64url')
    await state.set(SETUP_CODE_HASH, hashCode(code))
    await state.set(SETUP_CODE_ENDS, String(now() + HOUR_MS))
    return code
  }

  /**
   * Creates the first administrator and signs in. `client`: user-agent label. Throws AppError `auth.setup_code`, the same for
   * every problem of the code, or what `createAccount` throws.
   */
  async function use(
    { code, ...wanted }: Pick<NewUser, 'username' | 'email' | 'password'> & { code: string },
    caller: AuthContext,
    client: string,
  ): Promise<OpenedSession> {
    if (!(await isValid(state, code, now())) || !(await isNeeded())) {
      await audit({ action: 'setup.refused', caller })
      throw new AppError('auth.setup_code')
    }
    const user = await createFirstAdmin(wanted)
    await state.delete(SETUP_CODE_HASH)
    await state.delete(SETUP_CODE_ENDS)
    cache.clear()
    await audit({ action: 'setup.finished', caller, subject: user.username })
    await verification.send(user, caller)
    return signIn.openSession(user, caller, client)
  }

  async function createFirstAdmin(wanted: Pick<NewUser, 'username' | 'email' | 'password'>): Promise<User> {
    try {
      return await accounts.create({ ...wanted, role: 'admin', generated: false }, { unlessAdmin: true })
    } catch (error) {
      // Name and address are free, so another request with the same code was faster.
      throw isAppError(error, 'storage.conflict') ? new AppError('auth.setup_code') : error
    }
  }

  return { isNeededCached, issue, use }
}

async function isValid(state: InstanceStateStore, code: string, now: number): Promise<boolean> {
  // In this order, so that a code that is replaced now never gets the end of its successor.
  const ends = (await state.get(SETUP_CODE_ENDS)) ?? '0'
  const hash = (await state.get(SETUP_CODE_HASH)) ?? NO_HASH
  const isRight = timingSafeEqual(Buffer.from(hash), Buffer.from(hashCode(code)))
  return isRight && Number(ends) > now
}

/** A code has 256 random bits, so a fast hash is enough. */
const hashCode = (code: string): string => createHash('sha256').update(`mayfly/v1/setup${code}`).digest('hex')

/** Hash of no code. */
const NO_HASH = '0'.repeat(64)
