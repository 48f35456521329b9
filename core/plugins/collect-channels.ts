/** The receivers of durable events of all plugins. */
import type { Channel, Channels, MailChannel, OperatorChannel, WebhookChannel } from '../contracts/channels.js'
import type { Hooks } from './plugin.js'
import { PluginError } from './plugin-error.js'

/** Length of the name of a channel, with which its lease has up to 64 characters. */
const NAME_MAX = 56

/** Throws PluginError for an invalid or duplicate channel, and for two channels to webhooks of users. */
export function collectChannels(hooks: Pick<Hooks, 'channels'>[]): Channels {
  const channels = hooks.flatMap((each) => each.channels ?? [])
  for (const [index, { name }] of channels.entries()) {
    if (!/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name) || name.length > NAME_MAX)
      throw new PluginError(`"${name}" is not a valid name of a channel.`)
    if (channels.findIndex((other) => other.name === name) < index)
      throw new PluginError(`Two channels have the name "${name}".`)
  }
  const known = { operators: channels.filter(isForOperator), mail: channels.filter(isMail) }
  const [webhooks = null, ...others] = channels.filter(isForWebhooks)
  if (others.length > 0) throw new PluginError('Two plugins send to webhooks of users.')
  const unknown = channels.find((each) => ![...known.operators, ...known.mail, webhooks].includes(each))
  if (unknown) {
    const choices = '"to": "operator", or "to": "user" with "address": "email" or "webhook"'
    throw new PluginError(`The channel "${unknown.name}" needs ${choices}.`)
  }
  return { ...known, webhooks }
}

const isForOperator = (channel: Channel): channel is OperatorChannel => channel.to === 'operator'
const isMail = (channel: Channel): channel is MailChannel => channel.to === 'user' && channel.address === 'email'
const isForWebhooks = (channel: Channel): channel is WebhookChannel =>
  channel.to === 'user' && channel.address === 'webhook'
