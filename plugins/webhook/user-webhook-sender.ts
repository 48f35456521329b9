/** Sends events to the webhooks that users add on their account page. */
import { isIP } from 'node:net'
import type { WebhookSender } from '#core'
import { postEvent } from './post-event.js'
import { isTargetAddress } from './target-address.js'

interface UserTargets {
  /** Maximum number for one user. */
  max: number
  /** Private addresses that may receive events. */
  allow: string[]
}

/** The allow-list of the operator's own targets does not apply: users must not reach what only the operator may. */
export const createUserWebhookSender = ({ max, allow }: UserTargets): WebhookSender => ({
  maxPerUser: max,
  isUrlAllowed(url) {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    return isIP(host) === 0 || isTargetAddress(host, allow)
  },
  send: (destination, event, signal) => postEvent({ ...destination, allow }, event, signal),
})
