/** Messages about sign-ins on new devices. */
import { createHash } from 'node:crypto'
import type { AuthContext } from '../contracts/auth-context.js'
import type { LimitStore } from '../contracts/limits.js'
import type { User } from '../contracts/users.js'
import type { EventService } from '../events/event-service.js'
import { anonymizeIp } from '../lib/ip.js'
import { preferredLanguage } from '../lib/language.js'
import { errorName, type Log } from '../lib/log.js'
import { CLIENT_JOINT } from '../shared/account-limits.js'
import { newDeviceEvents } from './durable-account-events.js'
import type { KnownDevices } from './known-devices.js'
import type { RequestHeaders } from './request-headers.js'

/** An account gets one message in this time. */
const PAUSE_MS = 10 * 60_000

/** The first sign-in at a provider creates the account, which is no reason for a message. */
const NEW_ACCOUNT_MS = 60_000

interface Deps {
  /** False: the instance sends no messages to verified addresses. */
  isEnabled: boolean
  devices: Pick<KnownDevices, 'identify'>
  counters: Pick<LimitStore, 'consume'>
  events: Pick<EventService, 'create' | 'store'>
  log: Log
  /** Epoch ms. */
  now: () => number
}

export interface SignInAlerts {
  /**
   * Sends a message to a user who has signed in, unless the browser has a cookie of a known device. Returns at once; a failure is
   * logged. `deviceCookie`: of the request, or null.
   */
  report(
    user: User,
    caller: Pick<AuthContext, 'address'>,
    request: RequestHeaders & { deviceCookie: string | null },
  ): void
}

export function signInAlerts({ isEnabled, devices, counters, events, log, now }: Deps): SignInAlerts {
  async function store(userId: string, network: string | null, { client, acceptLanguage = '' }: RequestHeaders) {
    const name = `alert${createHash('sha256').update(userId).digest('hex').slice(0, 48)}`
    const [result] = await counters.consume([{ name, points: 1, limit: 1, windowMs: PAUSE_MS }], now())
    if (!result?.granted) return
    const [program = ''] = client.split(CLIENT_JOINT)
    events.store(newDeviceEvents(events, { userId, network, program, language: preferredLanguage(acceptLanguage) }))
  }

  return {
    report(user, { address }, { deviceCookie, ...headers }) {
      const { id, username, emailVerified, createdAt } = user
      if (!isEnabled || emailVerified === null || !user.signInAlerts || now() - createdAt < NEW_ACCOUNT_MS) return
      if (deviceCookie !== null && devices.identify(username, deviceCookie) !== null) return
      store(id, anonymizeIp(address), headers).catch((error) =>
        log.error('sign-in alert not stored', { error: errorName(error) }),
      )
    },
  }
}
