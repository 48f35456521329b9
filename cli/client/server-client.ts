/** Resolves the server of a client command and creates its API client. */
import { existsSync } from 'node:fs'
import { type Client, createClient } from '#shared/client/client'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import { version } from '../lib/version.js'
import { parseDuration } from '../output/duration.js'
import { type Io, resolvePath } from '../output/io.js'
import { toMessage, toSingleLine } from '../output/sanitize.js'
import { getUserFile } from './user-files.js'

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** Returns the server URL from `--server`, MAYFLY_SERVER or the client's config file. Throws CliError `usage`. */
export async function resolveServer({ server, config }: { server?: string; config?: string }, io: Io): Promise<string> {
  const path = config ?? getUserFile('config.json', io) ?? ''
  const named = server ?? io.env.MAYFLY_SERVER
  if (named && config === undefined && !existsSync(resolvePath(io, path))) return named
  // Imported here because they are slow to load.
  const [{ z }, { loadConfig }] = await Promise.all([import('zod'), import('#config')])
  const file = { path, required: config !== undefined }
  const sources = loadConfig({ file, env: io.env, flags: server === undefined ? {} : { server }, cwd: io.cwd })
  const { values, problems } = sources.section(null, z.strictObject({ server: z.string().optional() }))
  const all = [...problems, ...sources.leftovers()]
  if (all.length > 0) throw new CliError('usage', all.map(toMessage).join('\n'))
  if (!values?.server) {
    throw new CliError(
      'usage',
      'no server configured',
      'use --server https://secrets.example.org, or set MAYFLY_SERVER',
    )
  }
  return values.server
}

/** Creates an API client. Throws CliError `usage` for an invalid URL, and for plain http to another machine without --allow-http. */
export function createServerClient(
  server: string,
  { allowHttp, timeout, verbose }: GlobalFlags,
  io: Io,
  token?: string,
): Client {
  const url = URL.canParse(server) ? new URL(server) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new CliError('usage', 'invalid server URL', 'use a URL such as https://secrets.example.org')
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !allowHttp) {
    throw new CliError('usage', `plain http to ${toSingleLine(url.host)} is not allowed`, 'use https, or --allow-http')
  }
  return createClient({
    server: url.href,
    headers: { 'user-agent': `mayfly/${version}`, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    fetch: verbose ? createTracedFetch(io) : fetchWithoutRedirects,
    timeoutMs: parseDuration('--timeout', timeout) * 1000,
  })
}

/** Follows no redirects: proofs and texts are sent to the named server only. */
export const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' })

/** Prints a line per request, without ids and keys. */
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
      trace('failed')
      throw error
    }
  }
