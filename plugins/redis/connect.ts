/** Connections to Redis that reconnect by themselves. */
import { createClient } from '@redis/client'
import { type Log, OperatorError } from '#core'
import { consumeScript } from './consume-script.js'

/** Time limit of a start. The instance starts without Redis then, and connects later. */
const START_MS = 3000
const CONNECT_MS = 2000
const RECONNECT_MAX_MS = 2000
/** A connection without a response to a ping is closed after `IDLE_MAX_MS`. */
const PING_MS = 2000
const IDLE_MAX_MS = 6000
/** Commands that wait for a response. Further commands fail at once. */
const QUEUE_MAX = 10_000

export type RedisClient = ReturnType<typeof createRedisClient>

function createRedisClient(url: string) {
  return createClient({
    url,
    // Also supported by servers before version 6 and by compatible servers.
    RESP: 2,
    scripts: { consume: consumeScript },
    // The limiter has its own fallback, which should not wait for a server that is down.
    disableOfflineQueue: true,
    commandsQueueMaxLength: QUEUE_MAX,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: IDLE_MAX_MS,
      reconnectStrategy: (retries) => Math.min(100 * 2 ** Math.min(retries, 10), RECONNECT_MAX_MS),
    },
  })
}

/**
 * Connects, and reconnects after every failure. Resolves after `START_MS` also when the server does not respond.
 * Rejects when the server refuses the credentials, or is part of a cluster or a sentinel. Failures are logged once for
 * each outage, without the URL.
 */
export async function connectRedis(url: string, name: string, log: Log): Promise<RedisClient> {
  const client = createRedisClient(url)
  let isDown = false
  const refused = new Promise<never>((_, reject) => {
    client.on('error', (error: Error) => {
      if (/^(WRONGPASS|NOAUTH|NOPERM)/.test(error.message))
        reject(new Error('the server refuses the credentials of url'))
      if (!isDown) log.error('redis does not respond', { connection: name, error: toCode(error) })
      isDown = true
    })
  })
  client.on('ready', () => {
    if (isDown) log.info('redis responds again', { connection: name })
    isDown = false
  })
  // It settles when the first connection is open, or the client is destroyed. `unknown`: the compiler takes seconds to
  // compare the type of a client.
  const connected: Promise<unknown> = client.connect().catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const started = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, START_MS)
  })
  try {
    await Promise.race([connected, refused, started])
    if (client.isReady) await checkMode(client)
  } catch (error) {
    client.destroy()
    throw error
  } finally {
    clearTimeout(timer)
    refused.catch(() => {})
  }
  return client
}

/**
 * The client does not follow redirections of a cluster, and a sentinel does not store data: each command would fail,
 * and the reduced limits of an outage would apply.
 */
async function checkMode(client: RedisClient): Promise<void> {
  // The user may lack the permission for this command.
  const info = await client.info('server').catch(() => '')
  const [, mode = 'standalone'] = /^redis_mode:(\w+)/m.exec(info) ?? []
  if (mode === 'standalone') return
  throw new OperatorError(`the server of url runs in the mode "${mode}", which is not supported`, {
    hint: 'use an address that always leads to the primary, see docs/several-machines.md',
    isSetting: true,
  })
}

/** Such as `ECONNREFUSED`. The message of an error may contain the address. */
const toCode = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name
