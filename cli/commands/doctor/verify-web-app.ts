/** `mayfly verify-web`: compares the files of a server's web app with the checksums of this version. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { formatCount, toSingleLine } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'

/** Scripts and stylesheets of the page. */
const LOADED = /<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+)"[^>]*>/g
const INLINE = /<script\b(?![^>]*\bsrc=)[^>]*>/

/** Throws CliError: `check_failed` with all differences, `usage`, `unavailable`. */
export async function verifyWebApp(url: string, flags: GlobalFlags, io: Io): Promise<void> {
  const base = parseBaseUrl(url)
  const { files, problems } = await compareWebApp(base, parseDuration('--timeout', flags.timeout) * 1000)
  if (flags.json) await io.write(`${JSON.stringify({ files, problems })}\n`)
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

/** Fetches the page and every file of the web app. Throws what `fetch` throws. */
export async function compareWebApp(base: string, timeoutMs: number): Promise<{ files: number; problems: string[] }> {
  const manifest = readManifest()
  const get = (path: string) =>
    fetch(new URL(path, base), { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  const problems: string[] = []
  const page = await (await get('.')).text()
  if (INLINE.test(page)) problems.push('the page contains an inline script')
  for (const [, address = ''] of page.matchAll(LOADED)) {
    const name = decodeURI(new URL(address, base).href.replace(base, ''))
    if (/\.(js|css)$|^https?:/.test(name) && !manifest.has(name))
      problems.push(`the page loads ${toSingleLine(address)}`)
  }
  for (const [name, sum] of manifest) {
    const response = await get(name)
    const found = createHash('sha256').update(new Uint8Array(await response.arrayBuffer()))
    if (response.status !== 200 || found.digest('hex') !== sum) problems.push(`${name} differs`)
  }
  return { files: manifest.size, problems }
}

/** Returns hex SHA-256 by file name. Throws CliError `usage` when the web app is not built. */
function readManifest(): Map<string, string> {
  const here = import.meta.dirname
  const file = ['web', '../../../dist/web'].map((place) => join(here, place, 'manifest.sha256')).find(existsSync)
  if (!file) throw new CliError('usage', 'this build has no web app')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return new Map(lines.map((each) => [each.slice(66), each.slice(0, 64)]))
}
