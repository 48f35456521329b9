/** The server of a client's command: which one, and how it is talked to. */
import { type Client, createClient } from '#shared/client/client'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import { version } from '../lib/version.js'
import { parseDuration } from '../output/duration.js'
import type { Io } from '../output/io.js'
import { toMessage, toSingleLine } from '../output/sanitize.js'
import { getUserFile } from './user-files.js'

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** From `--server`, MAYFLY_SERVER or the client's config file. Throws CliError `usage`. */
export async function resolveServer({ server, config }: { server?: string; config?: string }, io: Io): Promise<string> {
  // Slow to load, and a link names its server.
  const [{ z }, { loadConfig }] = await Promise.all([import('zod'), import('#config')])
  const file = { path: config ?? getUserFile('config.json', io) ?? '', required: config !== undefined }
  const sources = loadConfig({ file, env: io.env, flags: server === undefined ? {} : { server }, cwd: io.cwd })
  const { values, problems } = sources.section(null, z.strictObject({ server: z.string().optional() }))
  const all = [...problems, ...sources.leftovers()]
  if (all.length > 0) throw new CliError('usage', all.map(toMessage).join('\n'))
  if (!values?.server) {
    throw new CliError('usage', 'which server?', 'use --server https://secrets.example.org, or set MAYFLY_SERVER')
  }
  return values.server
}

/** A client of the server, as whoever has the API token. Throws CliError `usage` for an address that cannot be used or that is not https. */
export function createServerClient(
  server: string,
  { allowHttp, timeout, verbose }: GlobalFlags,
  io: Io,
  token?: string,
): Client {
  const url = URL.canParse(server) ? new URL(server) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new CliError('usage', 'the server is not an address', 'use one such as https://secrets.example.org')
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !allowHttp) {
    throw new CliError(
      'usage',
      `${toSingleLine(url.host)} is not reached by https`,
      'use https, or --allow-http if you must',
    )
  }
  return createClient({
    server: url.href,
    headers: { 'user-agent': `mayfly/${version}`, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    fetch: verbose ? createTracedFetch(io) : fetchWithoutRedirects,
    timeoutMs: parseDuration('--timeout', timeout) * 1000,
  })
}

/** Follows no redirect: proofs and texts go to the server that was named and to no other. */
export const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' })

/** One line a request, with the ids and keys taken out. */
const createTracedFetch =
  (io: Io): typeof fetch =>
  async (input, init) => {
    const started = performance.now()
    const line = `${init?.method} ${String(input).replace(/\/(secret|files)\/[^/]+/, '/$1/***')}`
    const trace = (outcome: string) =>
      io.writeErr(`mayfly: ${line} ${outcome} ${Math.round(performance.now() - started)} ms\n`)
    try {
      const response = await fetchWithoutRedirects(input, init)
      trace(String(response.status))
      return response
    } catch (error) {
      trace('no answer')
      throw error
    }
  }
