/**
 * Device login, after RFC 8628: a program asks for a sign-in and shows a code, its user approves the code in a browser,
 * and the program exchanges its own secret code for an API token, once.
 */
import { createHash, randomInt } from 'node:crypto'
import type { App } from '../app.js'
import { type AuthContext, toAuthContext } from '../contracts/auth-context.js'
import type { DeviceLogin } from '../contracts/device-logins.js'
import type { User } from '../contracts/users.js'
import { createEvents } from '../events/durable-events.js'
import { AppError, onConflict } from '../lib/errors.js'
import { rateLimitPrefix } from '../lib/ip.js'
import { randomToken } from '../lib/random-token.js'
import { USER_CODE_LETTERS } from '../shared/account-limits.js'
import type {
  CreatedToken,
  DecideDeviceLogin,
  PendingDeviceLogin,
  StartDeviceLogin,
  StartedDeviceLogin,
} from '../shared/api/index.js'
import { tokenCreatedFacts } from './account-facts.js'
import { assertCanSignIn } from './account-policy.js'
import { buildToken, noteTokenCreated, TOKENS_MAX } from './api-tokens.js'

/** How long a user has to approve. */
const LOGIN_SECONDS = 10 * 60
const INTERVAL_SECONDS = 2
/** Minimum time between two polls. Timers of clients may fire a little early. */
const INTERVAL_MS = INTERVAL_SECONDS * 1000 - 100
const USER_CODE_LENGTH = 8

/**
 * Starts a login of the program that makes the request. Throws AppError `storage.conflict` in the unlikely case that
 * another program has the same user code.
 */
export async function startDeviceLogin(
  app: App,
  { client, scopes }: StartDeviceLogin,
  { address }: AuthContext,
): Promise<StartedDeviceLogin> {
  const [deviceCode, userCode] = [randomToken(32), createUserCode()]
  const createdAt = app.now()
  await app.storage.deviceLogins.create({
    hash: hashDeviceCode(deviceCode),
    userCodeHash: hashUserCode(userCode),
    client,
    scopes: [...new Set(scopes)],
    address,
    createdAt,
    expiresAt: createdAt + LOGIN_SECONDS * 1000,
  })
  const shown = `${userCode.slice(0, 4)}-${userCode.slice(4)}`
  return {
    deviceCode,
    userCode: shown,
    verificationUrl: `${app.config.publicUrl}/account/device?code=${shown}`,
    expiresInSeconds: LOGIN_SECONDS,
    intervalSeconds: INTERVAL_SECONDS,
  }
}

/**
 * Returns the login that the user is asked to approve. `code`: without separators. Throws AppError
 * `auth.device_expired`.
 */
export async function readDeviceLogin(app: App, code: string): Promise<PendingDeviceLogin> {
  const { client, address, createdAt, scopes } = await findPending(app, code)
  return { client, address, createdAt, scopes: scopes as PendingDeviceLogin['scopes'] }
}

/** Throws AppError `auth.device_expired`, or `auth.required` if the access of the caller was ended meanwhile. */
export async function decideDeviceLogin(
  app: App,
  { code, approve }: DecideDeviceLogin,
  caller: AuthContext,
): Promise<void> {
  const { userId, epoch, sessionId } = caller
  if (userId === null) throw new AppError('auth.required')
  const { scopes } = await findPending(app, code)
  const decision = { userCodeHash: hashUserCode(code), userId, epoch, sessionId, approve }
  if (!(await app.storage.deviceLogins.decide(decision, app.now()))) throw new AppError('auth.device_expired')
  const detail = { scopes: scopes.join(' ') }
  await app.audit.note({ action: approve ? 'device.approved' : 'device.denied', caller, detail })
}

/**
 * Exchanges the device code of an approved login for an API token, once. Throws AppError `auth.device_pending`,
 * `auth.device_slow_down`, `auth.device_denied`, `auth.device_expired`, `token.limit_reached`, `auth.suspended` or
 * `auth.users_disabled`.
 */
export async function claimDeviceLogin(app: App, deviceCode: string, caller: AuthContext): Promise<CreatedToken> {
  const hash = hashDeviceCode(deviceCode)
  const found = await app.storage.deviceLogins.find(hash, app.now())
  // The user approved a login from this address. The same error as for an unknown code.
  if (!found || !isSameClient(found.login, caller)) throw new AppError('auth.device_expired')
  if (!(await app.limits.takeOnce('device', hash, INTERVAL_MS))) throw new AppError('auth.device_slow_down')
  const { login, decision } = found
  if (decision.state === 'pending') throw new AppError('auth.device_pending')
  if (decision.state === 'denied') throw new AppError('auth.device_denied')
  return createApprovedToken(app, login, decision.user, caller)
}

async function createApprovedToken(
  app: App,
  { hash, client: name, scopes }: DeviceLogin,
  user: User,
  { address }: AuthContext,
): Promise<CreatedToken> {
  assertCanSignIn(user, await app.settings.current())
  const owner = toAuthContext(user, { address })
  const { token, created } = await buildToken(app, { name, scopes }, owner)
  const events = createEvents(app, tokenCreatedFacts(token))
  const isClaimed = await app.storage.deviceLogins
    .claim({ hash, token, max: TOKENS_MAX, events }, app.now())
    .catch(onConflict('token.limit_reached'))
  if (!isClaimed) throw new AppError('auth.device_expired')
  await noteTokenCreated(app, token, owner)
  return created
}

async function findPending(app: App, code: string): Promise<DeviceLogin> {
  const login = await app.storage.deviceLogins.findPending(hashUserCode(code), app.now())
  if (!login) throw new AppError('auth.device_expired')
  return login
}

/** Compares networks, as rate limits do: machines change their address within their IPv6 network. */
const isSameClient = ({ address }: DeviceLogin, caller: AuthContext): boolean =>
  rateLimitPrefix(address) === rateLimitPrefix(caller.address)

const createUserCode = (): string =>
  Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]).join('')

/** A device code has 256 random bits, so a fast hash is enough. */
const hashDeviceCode = (code: string): string =>
  createHash('sha256').update(`mayfly/v1/device-code${code}`).digest('hex')

/** A reader of the database can guess a user code from its hash, but the code is useless without the device code. */
const hashUserCode = (code: string): string => createHash('sha256').update(`mayfly/v1/user-code${code}`).digest('hex')
