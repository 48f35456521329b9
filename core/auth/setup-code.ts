/**
 * Setup code: lets the operator create the first administrator over the web. The server prints it when it starts
 * without one.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { InstanceStateStore } from '../contracts/storage.js'
import type { User } from '../contracts/users.js'
import { AppError, onConflict } from '../lib/errors.js'
import { randomToken } from '../lib/random-token.js'
import { createAccount, type NewUser } from './create-account.js'
import { sendVerification } from './email-verification.js'
import type { OpenedSession } from './sessions.js'
import { openAuditedSession } from './sign-in.js'

const HOUR_MS = 60 * 60_000
/** Names in the instance state. */
export const SETUP_CODE_HASH = 'setup_code_hash'
export const SETUP_CODE_ENDS = 'setup_code_ends'

/**
 * Creates a code that replaces the previous one and is valid for an hour. Null when an administrator exists. Only a
 * hash is stored.
 */
export async function issueSetupCode({ storage, now }: App): Promise<string | null> {
  if (await storage.users.hasAdmin()) return null
  const code = randomToken(32)
  await storage.instanceState.set(SETUP_CODE_HASH, hashCode(code))
  await storage.instanceState.set(SETUP_CODE_ENDS, String(now() + HOUR_MS))
  return code
}

type FirstAdmin = Pick<NewUser, 'username' | 'email' | 'password'>

/**
 * Creates the first administrator and signs in. `client`: user-agent label. Throws AppError `auth.setup_code`, the same
 * for every problem of the code, or what `createAccount` throws.
 */
export async function setUpInstance(
  app: App,
  { code, ...wanted }: FirstAdmin & { code: string },
  caller: AuthContext,
  client: string,
): Promise<OpenedSession> {
  const { instanceState, users } = app.storage
  if (!(await isValid(instanceState, code, app.now())) || (await users.hasAdmin())) {
    await app.audit.note({ action: 'setup.refused', caller })
    throw new AppError('auth.setup_code')
  }
  const user = await createFirstAdmin(app, wanted)
  await instanceState.delete(SETUP_CODE_HASH)
  await instanceState.delete(SETUP_CODE_ENDS)
  app.settings.invalidate()
  await app.audit.note({ action: 'setup.finished', caller, subject: user.username })
  await sendVerification(app, user, caller)
  return openAuditedSession(app, user, caller, { client, level: 1 })
}

function createFirstAdmin(app: App, wanted: FirstAdmin): Promise<User> {
  const account = { ...wanted, role: 'admin' as const, generated: false }
  // In a conflict, name and address are free, so another request with the same code was faster.
  return createAccount(app, account, { unlessAdmin: true }).catch(onConflict('auth.setup_code'))
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

/** Matches no code. */
const NO_HASH = '0'.repeat(64)
