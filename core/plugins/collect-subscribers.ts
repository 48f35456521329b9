/** The receivers of durable events of all plugins. */
import type { Subscriber } from '../contracts/outbox.js'
import type { Hooks } from './plugin.js'
import { PluginError } from './plugin-error.js'

/** Length of a subscriber's name, with which its lease has up to 64 characters. */
const NAME_MAX = 56

/** Throws PluginError for an invalid or duplicate name. */
export function collectSubscribers(hooks: Pick<Hooks, 'subscribers'>[]): Subscriber[] {
  const subscribers = hooks.flatMap((hook) => hook.subscribers ?? [])
  for (const [index, { name }] of subscribers.entries()) {
    if (!/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name) || name.length > NAME_MAX)
      throw new PluginError(`"${name}" is not a valid name of an event subscriber.`)
    if (subscribers.findIndex((other) => other.name === name) < index)
      throw new PluginError(`Two event subscribers have the name "${name}".`)
  }
  return subscribers
}
