/** A TCP proxy in front of a database server that counts round trips and can break connections between them. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface RoundTripProxy {
  port: number
  /** Round trips on all connections so far: data for the client that follows data of the client. */
  count(): number
  /**
   * Called with each round trip, before (`before`) and after (`after`) the server gets it. Returns true to break the
   * connection.
   */
  onTrip: ((when: 'before' | 'after') => boolean) | null
  close(): Promise<void>
}

/**
 * Listens on the loopback and passes everything on to the server. `latencyMs`: time that an answer takes to the client,
 * so that statements sent together count as one round trip even where the server answers the first of them at once.
 */
export async function startRoundTripProxy(host: string, port: number, latencyMs = 0): Promise<RoundTripProxy> {
  const sockets = new Set<Socket>()
  let roundTrips = 0
  const breaks = (when: 'before' | 'after') => proxy.onTrip?.(when) ?? false
  const listener = createServer((client) => {
    const server = connect(port, host)
    let isWaiting = false
    client.on('data', (chunk) => {
      if (!isWaiting && breaks('before')) return client.destroy()
      isWaiting = true
      server.write(chunk)
    })
    const answer = (chunk: Buffer) => {
      if (isWaiting) roundTrips++
      if (isWaiting && breaks('after')) return client.destroy()
      isWaiting = false
      client.write(chunk)
    }
    server.on('data', (chunk) => (latencyMs === 0 ? answer(chunk) : setTimeout(answer, latencyMs, chunk)))
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.setNoDelay()
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const proxy: RoundTripProxy = {
    port: (listener.address() as AddressInfo).port,
    count: () => roundTrips,
    onTrip: null,
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
  return proxy
}
