/** Resolves the server of a client command and creates its API client. */
import { ApiError, type Client, type ClientOptions, createClient } from '#shared/client/client'
import type { HttpFetch } from '#shared/client/send-request'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import { version } from '../lib/version.js'
import { formatDuration, parseDuration } from '../output/duration.js'
import type { Io } from '../output/io.js'
import { toSingleLine } from '../output/sanitize.js'
import { type ClientConfigFlags, readClientConfig } from './client-config.js'
import { createClockCheck } from './clock-check.js'
import { createNodeFetch } from './node-fetch.js'
import { readTransport } from './transport-options.js'

/** The shortest wait for a server that is worth a line, in ms. */
const REPORTED_WAIT_MS = 4000
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

export interface ServerFlags extends ClientConfigFlags {
  server?: string
}

/**
 * Returns the server URL from --server, --profile, MAYFLY_SERVER or the client's config file. Throws CliError `usage`.
 */
export async function resolveServer(flags: ServerFlags, io: Io): Promise<string> {
  if (flags.server !== undefined) return flags.server
  const named = flags.profile === undefined && flags.config === undefined ? io.env.MAYFLY_SERVER : undefined
  const server = named || readClientConfig(flags, io).server || io.env.MAYFLY_SERVER
  if (server) return server
  const hint = 'run `mayfly login URL`, use --server https://secrets.example.org, or set MAYFLY_SERVER'
  throw new CliError('usage', 'no server configured', hint)
}

/**
 * Returns the options of an API client. Throws CliError `usage` for an invalid URL, and for plain http to another
 * machine without --allow-http.
 */
export function buildClientOptions(server: string, flags: GlobalFlags, io: Io, token?: string): ClientOptions {
  const { allowHttp, timeout, retry } = flags
  const url = URL.canParse(server) ? new URL(server) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new CliError('usage', 'invalid server URL', 'use a URL such as https://secrets.example.org')
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !allowHttp) {
    throw new CliError('usage', `plain http to ${toSingleLine(url.host)} is not allowed`, 'use https, or --allow-http')
  }
  const transport = readTransport(url.href, flags, io)
  const direct = createNodeFetch(transport)
  const traced = flags.verbose ? createTracedFetch(direct, io) : direct
  return {
    server: url.href,
    headers: {
      'user-agent': `mayfly/${version}`,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...transport.headers,
    },
    fetch: createClockCheck(traced, io),
    ...(retry === undefined ? {} : { retryForMs: parseDuration('--retry', retry) * 1000 }),
    onWait(ms, error) {
      const isLimit = error instanceof ApiError && error.status === 429
      const why = isLimit ? 'rate limit reached' : 'the server does not respond'
      // Short waits are too many to report.
      if (isLimit || ms >= REPORTED_WAIT_MS) io.note(`${why}; waiting ${formatDuration(ms / 1000)}`)
    },
    timeoutMs: parseDuration('--timeout', timeout) * 1000,
  }
}

/** Creates an API client. Throws as `buildClientOptions`. */
export const createServerClient = (server: string, flags: GlobalFlags, io: Io, token?: string): Client =>
  createClient(buildClientOptions(server, flags, io, token))

/** Prints a line per request, without ids and keys. */
const createTracedFetch =
  (send: HttpFetch, io: Io): HttpFetch =>
  async (url, request) => {
    const started = performance.now()
    const line = `${request.method} ${url.replace(/\/(secret|files|request)\/[^/]+/, '/$1/***')}`
    const trace = (outcome: string) =>
      io.writeErr(`mayfly: ${line} ${outcome} ${Math.round(performance.now() - started)} ms\n`)
    try {
      const response = await send(url, request)
      trace(String(response.status))
      return response
    } catch (error) {
      trace('failed')
      throw error
    }
  }
