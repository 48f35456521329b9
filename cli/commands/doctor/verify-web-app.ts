/** `mayfly verify-web`: compares the pages and files of a server's web app with this version. */
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { createHueStylesheet, DEFAULT_HUE } from '#shared/page/hue-colors'
import { FILE_HEADERS } from '#shared/page/page-headers'
import { createNodeFetch } from '../../client/node-fetch.js'
import { readTransport } from '../../client/transport-options.js'
import { CliError } from '../../lib/cli-error.js'
import { formatDuration, parseDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { compareHeaders, comparePage } from './compare-page.js'
import { createPacedFetch, type PacedFetchOptions } from './paced-fetch.js'
import { readReleasedWebApp } from './released-web-app.js'
import { createBrowserHeaders, planPageVisits, shuffle } from './web-app-visits.js'

/** In bytes: more than any file of the web app has. */
const DECOMPRESSED_MAX = 32 * 2 ** 20

export interface WebAppComparison {
  /** Number of compared files. */
  files: number
  problems: string[]
}

/** Throws CliError: `check_failed` with all differences, `usage`, `unavailable`, `limit`. */
export async function verifyWebApp(url: string, flags: GlobalFlags, io: Io): Promise<void> {
  const base = parseBaseUrl(url)
  const transport = readTransport(base, flags, io)
  const { files, problems } = await compareWebApp(base, {
    headers: transport.headers,
    send: createNodeFetch(transport),
    timeoutMs: parseDuration('--timeout', flags.timeout) * 1000,
    onWait: (seconds) => io.note(`rate limit reached; waiting ${formatDuration(seconds)}`),
  })
  if (flags.json) await io.writeJson({ files, problems })
  if (problems.length > 0) {
    throw new CliError(
      'check_failed',
      problems.join('\n'),
      'the server runs another version, or the server or a proxy changed the web app',
    )
  }
  io.note(`${formatCount(files, 'file')} match this version`)
}

/** Returns the URL with a trailing slash. Throws CliError `usage`. */
export function parseBaseUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CliError('usage', 'invalid server URL', 'use a URL such as https://secrets.example.org')
  }
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/*$/, '/')}`
}

/**
 * Fetches every page several times and every file of the web app, in random order and with the headers of browsers.
 * Throws what `createPacedFetch` throws.
 */
export async function compareWebApp(base: string, options: PacedFetchOptions): Promise<WebAppComparison> {
  const released = readReleasedWebApp()
  const get = createPacedFetch(base, options)
  const problems: string[] = []
  const checksums = new Map(released.checksums)
  for (const path of planPageVisits(released.routes)) {
    const page = { path, ...(await receive(get, path, createBrowserHeaders().page)) }
    const { problems: found, hue } = comparePage(page, base, released)
    problems.push(...found)
    if (hue !== DEFAULT_HUE) checksums.set('brand.css', sha256(Buffer.from(createHueStylesheet(hue))))
  }
  const { file: headersOf } = createBrowserHeaders()
  for (const [name, sum] of shuffle([...checksums])) {
    const { status, headers, body } = await receive(get, `/${name}`, headersOf(name))
    if (status !== 200 || sha256(body) !== sum) problems.push(`${name} differs`)
    // The policy of a script is the policy of the worker that it starts.
    if (name.endsWith('.js')) problems.push(...compareHeaders(name, headers, FILE_HEADERS))
  }
  return { files: checksums.size, problems: [...new Set(problems)] }
}

async function receive(get: ReturnType<typeof createPacedFetch>, path: string, browser: Record<string, string>) {
  const response = await get(`.${path}`, browser)
  const { status, headers } = response
  return { status, headers, body: decompress(await response.arrayBuffer(), headers.get('content-encoding')) }
}

/** Returns bytes that cannot be decompressed unchanged: they differ from the released ones. */
function decompress(bytes: ArrayBuffer, encoding: string | null): Uint8Array {
  const decoders: Record<string, (bytes: ArrayBuffer, limit: { maxOutputLength: number }) => Uint8Array> = {
    gzip: gunzipSync,
    br: brotliDecompressSync,
    deflate: inflateSync,
  }
  try {
    return decoders[encoding ?? '']?.(bytes, { maxOutputLength: DECOMPRESSED_MAX }) ?? new Uint8Array(bytes)
  } catch {
    return new Uint8Array(bytes)
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
