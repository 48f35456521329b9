/**
 * Under which names this instance answers. A name that a stranger's DNS leads here is nobody's, so that no page of theirs
 * can speak to an instance in a network that only its reader reaches. Nothing else depends on the Host: links come from
 * `publicUrl` alone.
 */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { Context, Next } from 'koa'
import type { Audit } from '../contracts/audit.js'
import { AppError } from '../errors.js'
import type { Log } from '../log.js'

interface Parts {
  publicUrl: string
  /** Further names. */
  allowedHosts: string[]
  /** `publicUrl` was not configured: any IP address will do. */
  anyAddress?: boolean
  /** Paths that answer under every name: whoever looks whether the process is well knows none. */
  exempt: ReadonlySet<string>
  audit: Audit
  log: Log
}

/** Koa middleware, behind the one that knows the caller. Throws AppError `request.wrong_host`. */
export function knownHosts({ publicUrl, allowedHosts, anyAddress = false, exempt, audit, log }: Parts) {
  const names = new Set([new URL(publicUrl).hostname, 'localhost', ...allowedHosts.map((name) => name.toLowerCase())])
  const isKnown = (name: string | null): boolean => name !== null && (names.has(name) || isAddressOfOurs(name))
  const isAddressOfOurs = (name: string): boolean => {
    const bare = name.replace(/^\[|\]$/g, '')
    if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return false
    return anyAddress || ipaddr.process(bare).range() === 'loopback'
  }
  let isTold = false

  return async (ctx: Context, next: Next): Promise<void> => {
    if (exempt.has(ctx.path) || namesIn(ctx.req).every(isKnown)) return next()
    if (!isTold) log.warn('a request came for a name that is neither that of publicUrl nor among allowedHosts')
    isTold = true
    await audit({ action: 'request.wrong_host', caller: ctx.state.caller })
    throw new AppError('request.wrong_host')
  }
}

/** Every host that a request names, without its port: of all Host headers, and of the address itself. Null: none that can be. */
function namesIn({ headersDistinct, url = '' }: IncomingMessage): (string | null)[] {
  const hosts = headersDistinct.host ?? []
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url) ?? []
  const all = [...hosts, ...(authority === undefined ? [] : [authority])]
  // Two would be one for whoever checks and the other for whoever acts.
  return hosts.length === 1 ? all.map(nameOf) : [null]
}

function nameOf(host: string): string | null {
  const [, name = ''] = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i.exec(host) ?? []
  return name.toLowerCase() || null
}
