/** A TCP address that can be moved from one server to another, as an address that follows the primary of a database. */
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'

export interface Forwarder {
  port: number
  /** Connections lead to the server at this port from now on. Cuts the open ones. */
  moveTo(port: number): void
  close(): Promise<void>
}

/** Listens on the loopback. */
export async function startForwarder(port: number): Promise<Forwarder> {
  const sockets = new Set<Socket>()
  let target = port
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = net.createServer((incoming) => {
    const outgoing = net.connect(target, '127.0.0.1')
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
    }
    incoming.pipe(outgoing).pipe(incoming)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    moveTo(next) {
      target = next
      cut()
    },
    async close() {
      cut()
      await once(server.close(), 'close')
    },
  }
}
