/**
 * Rate limits shared by several machines, and caches that are cleared in all processes at once. Documentation:
 * docs/several-machines.md.
 */
import { definePlugin, isLoopbackHost } from '#core'
import { connectRedis } from './connect.js'
import { createInvalidation } from './invalidation.js'
import { createRateLimitStore } from './rate-limit-store.js'
import { options } from './redis-options.js'

export default definePlugin({
  contract: 1,
  name: 'redis',
  options,
  async setup({ url, prefix }, { log }) {
    const { protocol, hostname } = new URL(url)
    if (protocol === 'redis:' && !isLoopbackHost(hostname)) log.warn('the connection to redis is not encrypted')
    const client = await connectRedis(url, 'commands', log)
    const subscriber = await connectRedis(url, 'changes', log).catch((error) => {
      client.destroy()
      throw error
    })
    return {
      limits: createRateLimitStore(client, prefix),
      invalidation: createInvalidation({ client, subscriber, prefix }, log),
      close() {
        client.destroy()
        subscriber.destroy()
      },
    }
  },
})
