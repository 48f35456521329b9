/**
 * Sends durable events to other servers, signed by the scheme of Standard Webhooks. Documentation: docs/webhooks.md.
 */
import { definePlugin, type OperatorChannel, OperatorError } from '#core'
import { postEvent } from './post-event.js'
import { createUserWebhookChannel } from './user-webhook-channel.js'
import { options } from './webhook-options.js'

export default definePlugin({
  contract: 1,
  name: 'webhook',
  options,
  setup: ({ targets, allow, userTargets, userTargetsMax, userTargetsAllow, ...single }, { log }) => {
    const all = single.url === '' ? targets : [{ ...single, name: 'default' }, ...targets]
    if (new Set(all.map(({ name }) => name)).size < all.length)
      throw new OperatorError('two webhook targets have the same name', { isSetting: true })
    const toOperator = all.map(({ name, events, ...target }): OperatorChannel => {
      if (target.secrets.length === 0)
        throw new OperatorError(`webhook target "${name}" has no secrets`, { isSetting: true })
      return {
        name: `webhook.${name}`,
        to: 'operator',
        ...(events.length > 0 && { types: [...new Set([...events, 'ping'] as const)] }),
        deliver: (event, signal) => postEvent({ ...target, allow }, event, signal),
      }
    })
    const toUsers = { max: userTargetsMax, allow: userTargetsAllow, log }
    return { channels: userTargets ? [...toOperator, createUserWebhookChannel(toUsers)] : toOperator }
  },
})
