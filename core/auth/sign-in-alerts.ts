/** Messages about sign-ins on new devices. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { User } from '../contracts/users.js'
import { storeEvents } from '../events/durable-events.js'
import { describeCause } from '../lib/error-codes.js'
import { anonymizeIp } from '../lib/ip.js'
import { preferredLanguage } from '../lib/language.js'
import { CLIENT_JOINT } from '../shared/account-limits.js'
import { newDeviceFacts } from './account-facts.js'
import { identifyDevice } from './known-devices.js'
import type { RequestHeaders } from './request-headers.js'
import { securityAddresses } from './security-addresses.js'

/** An account gets up to one message in this time. */
const PAUSE_MS = 10 * 60_000

/** The first sign-in at a provider creates the account and sends no message. */
const NEW_ACCOUNT_MS = 60_000

/**
 * Sends a message to a user who has signed in, unless the browser has a cookie of a known device. Returns at once; a
 * failure is logged. `deviceCookie`: of the request, or null.
 */
export function reportSignIn(
  app: App,
  user: User,
  { address }: Pick<AuthContext, 'address'>,
  { deviceCookie, ...headers }: RequestHeaders & { deviceCookie: string | null },
): void {
  const { id, createdAt, signInAlerts } = user
  if (!app.settings.canVerifyEmail || !signInAlerts || app.now() - createdAt < NEW_ACCOUNT_MS) return
  if (securityAddresses(user, app.now()).length === 0) return
  if (deviceCookie !== null && identifyDevice(app, user, deviceCookie) !== null) return
  storeAlert(app, id, anonymizeIp(address), headers).catch((error) =>
    app.log.error('sign-in alert not stored', { ...describeCause(error) }),
  )
}

async function storeAlert(
  app: App,
  userId: string,
  network: string | null,
  { client, acceptLanguage = '' }: RequestHeaders,
): Promise<void> {
  if (!(await app.limits.takeOnce('alert', userId, PAUSE_MS))) return
  const [program = ''] = client.split(CLIENT_JOINT)
  const language = preferredLanguage(acceptLanguage)
  await storeEvents(app, newDeviceFacts({ userId, network, program, language }))
}
