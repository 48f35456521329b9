/** Sends events to the webhooks that users add on their account page. */
import { isIP } from 'node:net'
import type { DeliveryOutcome, Log, WebhookChannel } from '#core'
import { postEvent } from './post-event.js'
import { isTargetAddress } from './target-address.js'

interface UserTargets {
  /** Maximum number for one user. */
  max: number
  /** Private addresses that may receive events. */
  allow: string[]
  log: Pick<Log, 'info'>
}

/**
 * One result for all failures without a response, because differences would reveal names and ports of the internal
 * network.
 */
const UNREACHABLE: DeliveryOutcome = { isDelivered: false, result: 'unreachable' }

/** The allow-list of the operator's own targets does not apply: users must not reach the operator's services. */
export const createUserWebhookChannel = ({ max, allow, log }: UserTargets): WebhookChannel => ({
  name: 'user-webhooks',
  to: 'user',
  address: 'webhook',
  maxPerUser: max,
  isUrlAllowed(url) {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    return isIP(host) === 0 || isTargetAddress(host, allow)
  },
  async deliver({ event, url, secrets }, signal) {
    const outcome = await postEvent({ url, secrets, allow }, event, signal)
    if (outcome.result?.startsWith('HTTP ')) return outcome
    log.info('webhook of a user unreachable', { host: new URL(url).host, reason: outcome.result })
    return UNREACHABLE
  },
})
