/** Resolves the server of a client command and creates its API client. */
import { type Client, createClient } from '#shared/client/client'
import type { HttpFetch, RequestOptions } from '#shared/client/send-request'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import { version } from '../lib/version.js'
import { formatDuration, parseDuration } from '../output/duration.js'
import type { Io } from '../output/io.js'
import { toSingleLine } from '../output/sanitize.js'
import { type ClientConfigFlags, readClientConfig } from './client-config.js'
import { createRetryingFetch } from './limited-fetch.js'
import { createNodeFetch } from './node-fetch.js'
import { readTransport } from './transport-options.js'

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

export interface ServerFlags extends ClientConfigFlags {
  server?: string
}

/** Returns the server URL from --server, --profile, MAYFLY_SERVER or the client's config file. Throws CliError `usage`. */
export async function resolveServer(flags: ServerFlags, io: Io): Promise<string> {
  if (flags.server !== undefined) return flags.server
  const named = flags.profile === undefined && flags.config === undefined ? io.env.MAYFLY_SERVER : undefined
  const server = named || readClientConfig(flags, io).server || io.env.MAYFLY_SERVER
  if (server) return server
  const hint = 'run `mayfly login URL`, use --server https://secrets.example.org, or set MAYFLY_SERVER'
  throw new CliError('usage', 'no server configured', hint)
}

/** Returns the options of an API client. Throws CliError `usage` for an invalid URL, and for plain http to another machine without --allow-http. */
export function buildClientOptions(server: string, flags: GlobalFlags, io: Io, token?: string): RequestOptions {
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
  const send = flags.verbose ? createTracedFetch(direct, io) : direct
  const onWait = (seconds: number) => io.note(`rate limit reached; waiting ${formatDuration(seconds)}`)
  const maxWaitMs = retry === undefined ? 0 : parseDuration('--retry', retry) * 1000
  return {
    server: url.href,
    headers: {
      'user-agent': `mayfly/${version}`,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...transport.headers,
    },
    fetch: maxWaitMs > 0 ? createRetryingFetch(send, { maxWaitMs, onWait }) : send,
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
