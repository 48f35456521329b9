/**
 * Host header allow-list against DNS rebinding: a page of another site cannot reach an instance in the reader's private
 * network through a host name that resolves to its address. Links never depend on the Host, only on `publicUrl`.
 */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Audit } from '../../contracts/audit.js'
import { AppError } from '../../lib/errors.js'
import type { Log } from '../../lib/log.js'
import type { AppMiddleware } from '../lib/state.js'

/** Capacity of the cache of allowed Host headers. */
const HOSTS_MAX = 1000

interface Options {
  publicUrl: string
  /** Further host names. */
  allowedHosts: string[]
  /** `publicUrl` was not configured: any IP address is allowed. */
  anyAddress?: boolean
  /** Paths without the check: health probes do not know the host name. */
  exempt: ReadonlySet<string>
  audit: Audit
  log: Log
}

/** Runs after `clientIp`. Throws AppError `request.wrong_host`. */
export function hostCheck({ publicUrl, allowedHosts, anyAddress = false, exempt, audit, log }: Options): AppMiddleware {
  const names = new Set([new URL(publicUrl).hostname, 'localhost', ...allowedHosts.map((name) => name.toLowerCase())])
  const isAllowed = (name: string | null): boolean => name !== null && (names.has(name) || isOwnAddress(name))
  const isOwnAddress = (name: string): boolean => {
    const bare = name.replace(/^\[|\]$/g, '')
    if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return false
    return anyAddress || ipaddr.process(bare).range() === 'loopback'
  }
  /** Values of the Host header that were allowed before. */
  const allowed = new LRUCache<string, boolean>({ max: HOSTS_MAX })
  const isKnownHost = ({ rawHeaders, headers: { host = '' }, url = '' }: IncomingMessage): boolean => {
    if (!url.startsWith('/') || countHeaders(rawHeaders, 'host') !== 1) return false
    if (!allowed.has(host) && isAllowed(parseHost(host))) allowed.set(host, true)
    return allowed.has(host)
  }
  let isLogged = false

  return async (ctx, next) => {
    if (isKnownHost(ctx.req) || exempt.has(ctx.path) || hostsOf(ctx.req).every(isAllowed)) return next()
    if (!isLogged) log.warn('a request came for a host that is neither in publicUrl nor in allowedHosts')
    isLogged = true
    await audit.note({ action: 'request.wrong_host', caller: ctx.state.caller })
    throw new AppError('request.wrong_host')
  }
}

/** `rawHeaders`: names and values in turn. `name`: in lower case. */
function countHeaders(rawHeaders: string[], name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] ?? ''
    if (header.length === name.length && header.toLowerCase() === name) count++
  }
  return count
}

/**
 * All hosts that a request names, without ports: in the Host header and in an absolute request target. Null: invalid.
 */
function hostsOf({ headersDistinct, url = '' }: IncomingMessage): (string | null)[] {
  const headers = headersDistinct.host ?? []
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url) ?? []
  const hosts = [...headers, ...(authority === undefined ? [] : [authority])]
  // With two Host headers, this check and a proxy could each use a different one.
  return headers.length === 1 ? hosts.map(parseHost) : [null]
}

function parseHost(host: string): string | null {
  const [, name = ''] = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i.exec(host) ?? []
  return name.toLowerCase() || null
}
