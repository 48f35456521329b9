/** The Redis server of the tests. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { startTcpProxy } from './tcp-proxy.js'

export const REDIS_URL = process.env.MAYFLY_TEST_REDIS ?? 'redis://127.0.0.1:6379'

function serverOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port || 6379) }
}

/** Whether the usual server, or the server at this address, responds. */
export async function hasRedis(url = REDIS_URL): Promise<boolean> {
  const socket = connect(serverOf(url)).setTimeout(1000)
  socket.on('timeout', () => socket.destroy(new Error('timeout')))
  try {
    socket.write('PING\r\n')
    const [reply] = (await once(socket, 'data')) as [Buffer]
    return reply.length > 0
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export interface RedisProxy {
  url: string
  /** Cuts all connections, and accepts no new ones. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** A proxy in front of the server, which can be stopped. */
export async function startRedisProxy(): Promise<RedisProxy> {
  const proxy = await startTcpProxy(() => serverOf(REDIS_URL))
  return { url: `redis://127.0.0.1:${proxy.port}`, stop: proxy.close, start: proxy.reopen }
}
