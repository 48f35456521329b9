/** Sends durable events to other servers, signed by the scheme of Standard Webhooks. Documentation: docs/webhooks.md. */
import { definePlugin, type Subscriber } from '#core'
import { postEvent } from './post-event.js'
import { createUserWebhookSender } from './user-webhook-sender.js'
import { options } from './webhook-options.js'

export default definePlugin({
  contract: 2,
  name: 'webhook',
  options,
  setup: ({ targets, allow, userTargets, userTargetsMax, userTargetsAllow, ...single }) => {
    const all = single.url === '' ? targets : [{ ...single, name: 'default' }, ...targets]
    if (new Set(all.map(({ name }) => name)).size < all.length)
      throw new Error('two webhook targets have the same name')
    const subscribers = all.map(({ name, events, ...target }): Subscriber => {
      if (target.secrets.length === 0) throw new Error(`webhook target "${name}" has no secrets`)
      return {
        name: `webhook.${name}`,
        ...(events.length > 0 && { types: [...new Set([...events, 'events.dropped', 'ping'] as const)] }),
        deliver: (event, signal) => postEvent({ ...target, allow }, event, signal),
      }
    })
    const toUsers = userTargets ? createUserWebhookSender({ max: userTargetsMax, allow: userTargetsAllow }) : null
    return { subscribers, ...(toUsers && { userWebhooks: toUsers }) }
  },
})
