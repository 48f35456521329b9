import { randomUUID } from 'node:crypto'
import { describe } from 'vitest'
import type { LimitStore } from '#core'
import { limitStoreContract, openPlugin } from '#core/testing'
import { needs } from '#test/needs'
import { REDIS_URL } from '#test/redis'
import redis from './index.js'

describe('rate limits in Redis', needs('redis'), () => {
  limitStoreContract(async () => {
    const options = { url: REDIS_URL, prefix: `test:${randomUUID()}:` }
    const { limits, close } = await openPlugin(redis, { options })
    return { limits: limits as LimitStore, isSelfCleaning: true, close }
  })
})
