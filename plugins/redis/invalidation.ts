/** Notifies the other processes of changes by publishing them on a channel. */
import type { Invalidation, Log } from '#core'
import type { RedisClient } from './connect.js'

/** `subscriber`: a separate connection, because a connection that subscribes refuses other commands. */
export function createInvalidation(
  { client, subscriber, prefix }: { client: RedisClient; subscriber: RedisClient; prefix: string },
  log: Log,
): Invalidation {
  const channel = `${prefix}invalidate`
  return {
    async publish(part) {
      await client.publish(channel, part)
    },
    subscribe(listener) {
      const start = () => subscriber.subscribe(channel, (part) => listener(part))
      // The client subscribes again after each reconnect, once it has subscribed.
      const retry = () => void start().catch(() => log.warn('redis accepts no subscription'))
      if (subscriber.isReady) retry()
      else subscriber.once('ready', retry)
    },
  }
}
