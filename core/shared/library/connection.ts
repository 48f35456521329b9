/** Server and credentials for the requests of the library. */
import type { ClientOptions } from '../client/client.js'
import { limitResponses } from '../client/response-limit.js'
import { findLink, type LinkKind } from '../find-link.js'
import { inputError, toClientError } from './client-error.js'

/** A server. Nothing is sent anywhere else: the address in a link is not used. */
export interface Connection {
  /** Its URL, such as `https://secrets.example.org`. New links begin with it. */
  server: string
  /** API token. Default: requests of a visitor. */
  token?: string | undefined
  /** Sends the requests, for example through a proxy. Default: the `fetch` of the platform. */
  fetch?: typeof fetch | undefined
}

/** Throws MayflyError `input.invalid` unless `server` is a URL with http or https and without a user name. */
export function toClientOptions({ server, token, fetch: send }: Connection): ClientOptions {
  return {
    server: getBase(server),
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    ...(send && { fetch: limitResponses(send) }),
  }
}

const LINK_KINDS: LinkKind[] = ['secret', 'request', 'collect', 'receipt']

/**
 * Returns the server of a link, for programs that open links of any server. Check the address first if others choose
 * the links: requests are sent to it. Throws MayflyError `link.*`.
 */
export function serverOf(link: string): string {
  let problem: unknown
  for (const kind of LINK_KINDS) {
    try {
      return findLink(link, kind).base
    } catch (error) {
      problem ??= toClientError(error)
    }
  }
  throw problem
}

/** The URL of the server without a slash at its end. Throws as `toClientOptions`. */
export function getBase(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw inputError('server', 'must be a URL such as https://secrets.example.org')
  }
  return url.origin + url.pathname.replace(/\/$/, '')
}
