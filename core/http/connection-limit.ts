/** Limit of the open connections of one client, so that a single client cannot use up all connections of the server. */
import type { Server } from 'node:http'
import { isAllowedAddress, rateLimitPrefix, siteRateLimitPrefix } from '../lib/ip.js'
import { normalizePeer } from './middleware/client-ip.js'

/**
 * Maximum number of connections. `client`: of an IPv4 address or an IPv6 /64 network; enough for an office behind one
 * address, because a browser opens six. `site`: of an IPv6 /48 network, which leaves a quarter of all connections to
 * others.
 */
export const CONNECTIONS = { client: 256, site: 512 }

const LOOPBACK = ['127.0.0.0/8', '::1']

/** Closes connections of a client, and of all clients of a site, beyond `max`. `isExempt`: of reverse proxies. */
export function limitConnections(
  server: Server,
  max: typeof CONNECTIONS,
  isExempt: (address: string) => boolean,
): void {
  const counter = createConnectionCounter(max)
  server.on('connection', (socket) => {
    const address = normalizePeer(socket.remoteAddress ?? '')
    if (address === null || isExempt(address)) return
    const release = counter.open(address)
    if (release) socket.once('close', release)
    else socket.destroy()
  })
}

/**
 * Counts open connections. `open` returns a function that releases the connection, or null when the client or its site
 * has `max` of them.
 */
export function createConnectionCounter(max: typeof CONNECTIONS) {
  const counts = new Map<string, number>()
  const add = (name: string, more: number) => {
    const count = (counts.get(name) ?? 0) + more
    if (count > 0) counts.set(name, count)
    else counts.delete(name)
  }
  return {
    open(address: string): (() => void) | null {
      const site = siteRateLimitPrefix(address)
      const limited: [name: string, max: number][] = [[`client ${rateLimitPrefix(address)}`, max.client]]
      if (site !== null) limited.push([`site ${site}`, max.site])
      if (limited.some(([name, most]) => (counts.get(name) ?? 0) >= most)) return null
      for (const [name] of limited) add(name, 1)
      return () => {
        for (const [name] of limited) add(name, -1)
      }
    },
    /** Number of counters in memory. */
    size: () => counts.size,
  }
}

/**
 * A reverse proxy has the connections of all its clients. A proxy on this machine is exempt without an entry in
 * `trustedProxies`.
 */
export const isReverseProxy =
  (trustedProxies: string[]) =>
  (address: string): boolean =>
    [...LOOPBACK, ...trustedProxies].some((range) => isAllowedAddress(range, address))
