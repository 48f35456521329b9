/** The second factors of the caller's own account: list, add, rename, remove. */
import type { App } from '../../app.js'
import type { AuthContext } from '../../contracts/auth-context.js'
import type { AddFactor, RemoveFactor } from '../../contracts/factors.js'
import type { User } from '../../contracts/users.js'
import { createEvents } from '../../events/durable-events.js'
import { AppError, fieldError, onConflict } from '../../lib/errors.js'
import { newId } from '../../lib/random-token.js'
import type { CurrentSettings } from '../../settings/create-settings.js'
import type {
  AddAuthenticator,
  AddedAuthenticator,
  AddedPasskey,
  AddPasskey,
  AuthenticatorSetup,
  Factors,
  PasskeyCreation,
  RecoveryCodes,
  RenamePasskey,
} from '../../shared/api/index.js'
import { securityFacts } from '../account-facts.js'
import { challengeUse } from '../passkey-challenge.js'
import { findGraceEnd, isCovered } from '../second-factor-policy.js'
import { loadSelf } from '../verify-caller.js'
import { createSecret, findStep, toAuthenticatorUri } from './authenticator.js'
import { loadFactorCipher } from './factor-key.js'
import { recordPasskeyHost } from './passkey-host.js'
import { createRegistration, relyingParty, verifyRegistration, type WithChallenge } from './passkeys.js'
import { createRecoveryCodes } from './recovery-codes.js'

const PASSKEYS_MAX = 20
/** How long a user may take to set up an authenticator app. */
const SETUP_MS = 10 * 60_000

/** Content of the encrypted `setup` of an authenticator app, which stores nothing before its first code. */
interface StoredSetup {
  secret: string
  endsAt: number
}

/** Throws AppError `auth.required`. */
export async function readFactors(app: App, caller: AuthContext): Promise<Factors> {
  const user = await loadSelf(app, caller)
  const settings = await app.settings.current()
  const { passkeys, authenticator, recoveryCodes } = await app.storage.factors.list(user.id)
  return {
    passkeys: passkeys.map(({ id, name, createdAt, usedAt, backedUp }) => ({ id, name, createdAt, usedAt, backedUp })),
    authenticator: authenticator && { createdAt: authenticator.createdAt, usedAt: authenticator.usedAt },
    recoveryCodes,
    policy: policyOf(user, settings),
    graceEndsAt: findGraceEnd(user, settings),
  }
}

/** Throws AppError `request.invalid` if second factors are turned off. */
export async function preparePasskey(app: App, caller: AuthContext): Promise<WithChallenge<PasskeyCreation>> {
  const user = await loadEnrolling(app, caller)
  const { passkeys } = await app.storage.factors.list(user.id)
  return createRegistration(app, user, passkeys, challengeUse('registration', user, caller))
}

/**
 * `challenge`: cookie. Throws AppError `auth.passkey_refused`, or `request.invalid` if the passkey exists or the
 * account has the maximum.
 */
export async function addPasskey(
  app: App,
  { name, passkey }: AddPasskey,
  caller: AuthContext,
  challenge: string | null,
): Promise<AddedPasskey> {
  const user = await loadEnrolling(app, caller)
  const verified = await verifyRegistration(app, passkey, {
    cookie: challenge,
    use: challengeUse('registration', user, caller),
  })
  const id = newId()
  const { userId, epoch, createdAt } = ownerOf(app, user)
  const stored = { id, userId, epoch, createdAt, usedAt: null, name, ...verified }
  const added = await addFactor(app, user, caller, (options) =>
    app.storage.factors.addPasskey(stored, PASSKEYS_MAX, options),
  )
  await recordPasskeyHost(app)
  await app.audit.note({ action: 'factor.added', caller, detail: { factor: 'passkey', id } })
  return { id, ...added }
}

/** Throws AppError `access.not_found`. */
export async function renamePasskey(app: App, { id, name }: RenamePasskey, caller: AuthContext): Promise<void> {
  const { id: userId } = await loadSelf(app, caller)
  if (!(await app.storage.factors.renamePasskey(id, userId, name))) throw new AppError('access.not_found')
}

/** Throws AppError `access.not_found` or `auth.last_factor`. */
export async function removePasskey(app: App, id: string, caller: AuthContext): Promise<void> {
  const { userId, options } = await prepareRemoval(app, caller)
  if (!(await app.storage.factors.removePasskey(id, userId, options))) throw new AppError('access.not_found')
  await app.audit.note({ action: 'factor.removed', caller, detail: { factor: 'passkey', id } })
}

/** Throws AppError `auth.unavailable` if this server lacks the key for the secrets of authenticator apps. */
export async function prepareAuthenticator(app: App, caller: AuthContext): Promise<AuthenticatorSetup> {
  const user = await loadEnrolling(app, caller)
  const cipher = await loadFactorCipher(app)
  const secret = await createSecret()
  const setup: StoredSetup = { secret, endsAt: app.now() + SETUP_MS }
  return {
    secret,
    uri: await toAuthenticatorUri(secret, { issuer: relyingParty(app).id, username: user.username }),
    setup: cipher.encrypt(JSON.stringify(setup), setupContext(user, caller)),
  }
}

/** Throws AppError `auth.code_wrong`, `auth.unavailable`, or `request.invalid` for an expired setup or a second app. */
export async function addAuthenticator(
  app: App,
  { setup, code }: AddAuthenticator,
  caller: AuthContext,
): Promise<AddedAuthenticator> {
  const user = await loadEnrolling(app, caller)
  const cipher = await loadFactorCipher(app)
  const text = cipher.decrypt(setup, setupContext(user, caller))
  const stored: StoredSetup | null = text === null ? null : JSON.parse(text)
  if (!stored || stored.endsAt <= app.now()) throw fieldError('setup', 'has expired')
  const lastStep = await findStep(stored.secret, code, app.now())
  if (lastStep === null) throw new AppError('auth.code_wrong', { field: 'code' })
  const secret = cipher.encrypt(stored.secret, user.id)
  const authenticator = { ...ownerOf(app, user), secret, usedAt: null, lastStep }
  const added = await addFactor(app, user, caller, (options) =>
    app.storage.factors.addAuthenticator(authenticator, options),
  )
  await app.audit.note({ action: 'factor.added', caller, detail: { factor: 'authenticator' } })
  return added
}

/** Throws AppError `access.not_found` or `auth.last_factor`. */
export async function removeAuthenticator(app: App, caller: AuthContext): Promise<void> {
  const { userId, options } = await prepareRemoval(app, caller)
  if (!(await app.storage.factors.removeAuthenticator(userId, options))) throw new AppError('access.not_found')
  await app.audit.note({ action: 'factor.removed', caller, detail: { factor: 'authenticator' } })
}

/** Replaces all recovery codes. Throws AppError `access.not_found` for an account without a factor. */
export async function renewRecoveryCodes(app: App, caller: AuthContext): Promise<RecoveryCodes> {
  const { id: userId } = await loadSelf(app, caller)
  const { codes, hashes } = createRecoveryCodes()
  const events = createEvents(app, securityFacts(userId, 'factor'))
  if (!(await app.storage.factors.replaceRecoveryCodes(userId, hashes, events))) throw new AppError('access.not_found')
  await app.audit.note({ action: 'factor.renewed_recovery_codes', caller })
  return { recoveryCodes: codes }
}

/** Throws AppError `request.invalid` if second factors are turned off. */
async function loadEnrolling(app: App, caller: AuthContext): Promise<User> {
  const user = await loadSelf(app, caller)
  if ((await app.settings.current()).second_factor !== 'off') return user
  throw new AppError('request.invalid', { message: 'Second factors are turned off on this server.' })
}

async function prepareRemoval(app: App, caller: AuthContext): Promise<{ userId: string; options: RemoveFactor }> {
  const user = await loadSelf(app, caller)
  const unlessLast = isCovered(user, await app.settings.current())
  return { userId: user.id, options: { unlessLast, events: createEvents(app, securityFacts(user.id, 'factor')) } }
}

function policyOf(user: User, settings: CurrentSettings): Factors['policy'] {
  if (settings.second_factor === 'off') return 'off'
  return isCovered(user, settings) ? 'required' : 'optional'
}

/** Recovery codes come with the first factor. */
async function addFactor(
  app: App,
  { id: userId }: User,
  { sessionId: keepSession }: AuthContext,
  add: (options: AddFactor) => Promise<boolean>,
): Promise<{ recoveryCodes: string[] | null }> {
  const { codes, hashes } = createRecoveryCodes()
  const events = createEvents(app, securityFacts(userId, 'factor'))
  const isFirst = await add({ recoveryCodes: hashes, keepSession, now: app.now(), events }).catch(
    onConflict('request.invalid', { message: 'The account has this second factor already, or too many of them.' }),
  )
  return { recoveryCodes: isFirst ? codes : null }
}

const ownerOf = ({ now }: App, { id: userId, epoch }: User) => ({ userId, epoch, createdAt: now() })

const setupContext = ({ id }: User, { sessionId }: AuthContext): string => JSON.stringify(['setup', id, sessionId])
