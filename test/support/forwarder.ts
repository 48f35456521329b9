/** A TCP address that can be moved from one server to another, as an address that follows the primary of a database. */
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js'

export interface Forwarder extends Pick<TcpProxy, 'port' | 'close'> {
  /** Connections lead to the server at this port from now on. Cuts the open ones. */
  moveTo(port: number): void
}

/** Listens on the loopback. */
export async function startForwarder(port: number): Promise<Forwarder> {
  let target = port
  const proxy = await startTcpProxy(() => ({ port: target }))
  return {
    ...proxy,
    moveTo(next) {
      target = next
      proxy.cut()
    },
  }
}
