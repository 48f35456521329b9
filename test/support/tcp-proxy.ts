/** A TCP proxy on the loopback. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Cuts all open connections. */
  cut(): void
  /** Cuts all connections, and accepts no new ones. */
  close(): Promise<void>
  /** Accepts connections again, at the same port. */
  reopen(): Promise<void>
}

/** `target`: the server of the next connection. `relay`: passes the data on; default: unchanged. */
export async function startTcpProxy(
  target: () => { port: number; host?: string },
  relay: (client: Socket, server: Socket) => void = (client, server) => void client.pipe(server).pipe(client),
): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const { port, host = '127.0.0.1' } = target()
    const server = connect(port, host)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket)
      socket
        .setNoDelay()
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
    }
    relay(client, server)
  })
  const listen = async (port: number) => void (await once(listener.listen(port, '127.0.0.1'), 'listening'))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  await listen(0)
  const { port } = listener.address() as AddressInfo
  return {
    port,
    cut,
    async close() {
      listener.close()
      cut()
      await once(listener, 'close')
    },
    reopen: () => listen(port),
  }
}
