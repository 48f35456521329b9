/** Counters of the rate limits in Redis, shared by all processes and machines. */
import type { LimitStore } from '#core'
import type { RedisClient } from './connect.js'

export function createRateLimitStore(client: RedisClient, prefix: string): LimitStore {
  const toKey = (name: string) => `${prefix}limit:${name}`
  return {
    // Commands of one tick are sent in one packet.
    consume: (requests, now) =>
      Promise.all(requests.map((request) => client.consume(toKey(request.name), request, Math.floor(now)))),

    async reset(names) {
      // One command for each key: in a cluster, the keys are on several servers.
      await Promise.all(names.map((name) => client.unlink(toKey(name))))
    },

    deleteExpired: async () => 0,
  }
}
