/** A TCP proxy in front of a database server that counts round trips and can break connections between them. */
import type { Socket } from 'node:net'
import { startTcpProxy } from './tcp-proxy.js'

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
  let roundTrips = 0
  const breaks = (when: 'before' | 'after') => proxy.onTrip?.(when) ?? false
  const relay = (client: Socket, server: Socket) => {
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
  }
  const started = await startTcpProxy(() => ({ port, host }), relay)
  const proxy: RoundTripProxy = {
    port: started.port,
    count: () => roundTrips,
    onTrip: null,
    close: started.close,
  }
  return proxy
}
