/**
 * Sends durable events to other servers, signed by the scheme of Standard Webhooks. Documentation: docs/webhooks.md.
 */
import { definePlugin, type OperatorChannel, OperatorError, type z } from '#core'
import { FORMATS_WITH_TOKEN } from './formats.js'
import { postEvent } from './post-event.js'
import { createUserWebhookChannel } from './user-webhook-channel.js'
import { options, type Target } from './webhook-options.js'

export default definePlugin({
  contract: 1,
  name: 'webhook',
  options,
  setup: ({ targets, allow, userTargets, userTargetsMax, userTargetsAllow, ...single }, { log }) => {
    const all = single.url === '' ? targets : [{ ...single, name: 'default' }, ...targets]
    if (new Set(all.map(({ name }) => name)).size < all.length)
      throw new OperatorError('two webhook targets have the same name', { isSetting: true })
    const toOperator = all.map(({ name, events, ...target }): OperatorChannel => {
      const missing = findMissing(target)
      if (missing) throw new OperatorError(`webhook target "${name}" has no ${missing}`, { isSetting: true })
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

/** The missing option that the format of a target needs. */
function findMissing({
  format,
  secrets,
  token,
}: Pick<z.output<typeof Target>, 'format' | 'secrets' | 'token'>): 'secrets' | 'token' | null {
  if (format === 'standard' && secrets.length === 0) return 'secrets'
  return FORMATS_WITH_TOKEN.includes(format) && token === '' ? 'token' : null
}
