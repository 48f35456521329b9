/** The Redis server of the tests. */
import { once } from 'node:events'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'

export const REDIS_URL = process.env.MAYFLY_TEST_REDIS ?? 'redis://127.0.0.1:6379'

function connect(url = REDIS_URL): Socket {
  const { hostname, port } = new URL(url)
  return net.connect(Number(port || 6379), hostname)
}

/** Whether the usual server, or the server at this address, responds. */
export async function hasRedis(url = REDIS_URL): Promise<boolean> {
  const socket = connect(url).setTimeout(1000)
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
  const sockets = new Set<Socket>()
  const server: Server = net.createServer((incoming) => {
    const outgoing = connect()
    for (const socket of [incoming, outgoing]) sockets.add(socket.on('error', () => {}))
    incoming.pipe(outgoing).pipe(incoming)
  })
  const listen = async (at: number) => void (await once(server.listen(at, '127.0.0.1'), 'listening'))
  await listen(0)
  const own = (server.address() as AddressInfo).port
  return {
    url: `redis://127.0.0.1:${own}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      sockets.clear()
      await closed
    },
    start: () => listen(own),
  }
}
