/** How requests reach the server: additional headers, client certificates and proxies. */
import { readFileSync } from 'node:fs'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import type { Env } from '../output/color.js'
import { type Io, resolvePath } from '../output/io.js'
import { type ClientSettings, readClientConfig } from './client-config.js'
import { isSameServer } from './credentials.js'

export interface TlsFiles {
  /** Contents of PEM files. */
  cert?: Buffer
  key?: Buffer
  /** Trusted instead of the certificates of Node.js. */
  ca?: Buffer
}

export interface Transport {
  headers: Record<string, string>
  /** null: the certificates of Node.js, and no client certificate. */
  tls: TlsFiles | null
  proxy: URL | null
}

/** Set by the client itself. */
const RESERVED = ['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'user-agent', 'cookie']

/**
 * Options for requests to `server`, from flags, and from the config file if it names this server: a link may point to
 * any server, which must not get the headers of another one. Throws CliError `usage`, without the value of a header.
 */
export function readTransport(server: string, flags: GlobalFlags, io: Io): Transport {
  const config = readConfig(flags, io)
  const common = config.server !== undefined && isSameServer(config.server, server) ? config : {}
  const headers = flags.httpHeader ?? (common.headers_file === undefined ? [] : [`@${common.headers_file}`])
  const files = { cert: flags.cert ?? common.cert, key: flags.key ?? common.key, ca: flags.ca ?? common.ca }
  if ((files.cert === undefined) !== (files.key === undefined)) {
    throw new CliError('usage', '--cert and --key belong together', 'both are PEM files')
  }
  const tls = Object.entries(files).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, readText(`--${name}`, path, io)] as const],
  )
  return {
    headers: Object.fromEntries(headers.flatMap((header) => parseHeaders(header, io))),
    tls: tls.length === 0 ? null : Object.fromEntries(tls),
    proxy: findProxy(new URL(server), io.env),
  }
}

/**
 * A command that gets its server from the config file reports the problems of that file, such as an unknown profile.
 */
function readConfig(flags: GlobalFlags, io: Io): ClientSettings {
  try {
    return readClientConfig(flags, io)
  } catch (error) {
    if (error instanceof CliError) return {}
    throw error
  }
}

/**
 * The proxy for a URL by HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in small or capital letters. Throws CliError `usage`.
 */
export function findProxy({ protocol, hostname, port }: URL, env: Env): URL | null {
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const value = env[name.toLowerCase()] || env[name]
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const excluded = (env.no_proxy || env.NO_PROXY || '').toLowerCase().split(/[\s,]+/)
  if (!value || excluded.some((entry) => isExcluded(entry, host, port || (protocol === 'https:' ? '443' : '80')))) {
    return null
  }
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`
  if (URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)) return new URL(url)
  throw new CliError('usage', `${name} is not an http or https URL`, 'such as http://proxy.example.org:3128')
}

/** `entry`: `*`, a host, a domain with all hosts below it, each also with a port. */
function isExcluded(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, name = '', only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.replace(/^\[(.*)\]/, '$1')) ?? []
  const plain = entry.includes('::') ? entry.replace(/[[\]]/g, '') : name
  if (plain === '' || (only !== undefined && plain === name && only !== port)) return false
  return host === plain || host.endsWith(`.${plain}`)
}

/** `NAME:VALUE`, or `@FILE` with one such line per header. */
function parseHeaders(text: string, io: Io): [string, string][] {
  if (!text.startsWith('@')) return [parseHeader(text)]
  const lines = readText('--http-header', text.slice(1), io).toString('utf8').split(/\r?\n/)
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).map(parseHeader)
}

function parseHeader(text: string): [string, string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*?)\s*$/.exec(text) ?? []
  if (name === '' || !/^[\t\x20-\x7e]+$/.test(value)) {
    throw new CliError('usage', '--http-header must have the form NAME:VALUE', 'or @FILE with one header per line')
  }
  if (!RESERVED.includes(name.toLowerCase())) return [name.toLowerCase(), value]
  throw new CliError('usage', `--http-header cannot set ${name}`)
}

function readText(flag: string, path: string, io: Io): Buffer {
  try {
    return readFileSync(resolvePath(io, path))
  } catch (error) {
    throw new CliError('usage', `${flag}: cannot read the file: ${(error as NodeJS.ErrnoException).code}`)
  }
}
