/** Limit of the open connections of one client, so that a single client cannot use up those of the whole server. */
import type { Server } from 'node:http'
import { isAllowedAddress, rateLimitPrefix } from '../lib/ip.js'
import { normalizePeer } from './middleware/client-ip.js'

/** Enough for an office behind one address: a browser opens six. */
export const CONNECTIONS_PER_CLIENT = 256

const LOOPBACK = ['127.0.0.0/8', '::1']

/** Closes connections of a client (an IPv4 address or an IPv6 /64 network) beyond `max`. `isExempt`: of reverse proxies. */
export function limitConnections(server: Server, max: number, isExempt: (address: string) => boolean): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = normalizePeer(socket.remoteAddress ?? '')
    if (address === null || isExempt(address)) return
    const client = rateLimitPrefix(address)
    const count = open.get(client) ?? 0
    if (count >= max) {
      socket.destroy()
      return
    }
    open.set(client, count + 1)
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    })
  })
}

/** A reverse proxy has the connections of all its clients. One on this machine needs no entry in `trustedProxies` for that. */
export const isReverseProxy =
  (trustedProxies: string[]) =>
  (address: string): boolean =>
    [...LOOPBACK, ...trustedProxies].some((range) => isAllowedAddress(range, address))
