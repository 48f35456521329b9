/** Options and URLs of database servers. */
import { readFile } from 'node:fs/promises'
import { flag, isLoopbackHost, secret, wholeNumber, z } from '#core'
import { batchSize } from './connection-defaults.js'

const URL_FORM = 'user:password@host:port/database'
/** URL parameters for TLS, with the names of libpq and the MySQL tools, and the supported values. */
const TLS_PARAMETERS = ['sslmode', 'ssl-mode']
const TLS_ON = ['require', 'required', 'verify-ca', 'verify_ca', 'verify-full', 'verify_identity']
const TLS_OFF = ['disable', 'disabled']
/** URL parameters for a Unix socket. */
const SOCKET_PARAMETERS = ['host', 'socket']

/** The options of a database server. `schemes`: the accepted URL schemes. */
export function serverOptions(...schemes: [string, ...string[]]) {
  const form = `${schemes[0]}://${URL_FORM}`
  const hasScheme = (text: string) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1))
  return z.object({
    url: secret(z.string().refine(hasScheme, `must be ${form}`).describe(form)),
    poolSize: wholeNumber(1, 1000)
      .default(10)
      .describe('maximum number of connections of one process; at least 2 with MySQL and MariaDB'),
    batchSize,
    tls: flag().default(false).describe('require TLS and verify the certificate of the server'),
    ca: z
      .string()
      .default('')
      .describe('PEM file with the certificate authorities to trust instead of the default ones; turns on tls'),
  })
}

export type ServerOptions = z.output<ReturnType<typeof serverOptions>>

export interface Address {
  host: string
  /** The default port of the engine when the URL has none. */
  port: number
  user: string
  password: string
  database: string
  /** Path of a Unix socket, used instead of host and port. */
  socket: string | null
  /** Null: without TLS. `ca` null: the certificate authorities that Node.js trusts. */
  tls: { ca: string | null } | null
  /** The connection leaves this machine without TLS. */
  isUnencrypted: boolean
  /** For logs and messages, without credentials. */
  location: string
}

/** Parses the URL. Throws an Error of one sentence, without any part of the URL, when a parameter is not supported. */
export async function addressOf({ url, tls, ca }: ServerOptions, defaultPort: number): Promise<Address> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const known = [...TLS_PARAMETERS, ...SOCKET_PARAMETERS]
  const unknown = [...searchParams.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`the URL may not have the parameter "${unknown}".`)
  const findParameter = (names: string[]) => names.map((name) => searchParams.get(name)).find((value) => value !== null)
  const database = decodeURIComponent(pathname.slice(1))
  if (database === '') throw new Error('the URL does not name a database.')
  const socket = findParameter(SOCKET_PARAMETERS) ?? null
  const usesTls = checkTls(findParameter(TLS_PARAMETERS)?.toLowerCase(), tls || ca !== '')
  const host = decodeURIComponent(hostname).replace(/^\[|\]$/g, '') || 'localhost'
  return {
    host,
    port: Number(port) || defaultPort,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database,
    socket,
    tls: usesTls ? { ca: ca === '' ? null : await readFile(ca, 'utf8') } : null,
    isUnencrypted: !usesTls && socket === null && !isLoopbackHost(host),
    location: `${socket ?? hostname + (port && `:${port}`)}/${database}`,
  }
}

/** `mode`: what the URL says about TLS. Throws an Error of one sentence when it contradicts the options or skips verification. */
function checkTls(mode: string | undefined, isRequired: boolean): boolean {
  if (mode === undefined) return isRequired
  if (![...TLS_ON, ...TLS_OFF].includes(mode)) {
    throw new Error('the URL asks for TLS without verifying the server; ask for "verify-full" and name its ca.')
  }
  if (isRequired && TLS_OFF.includes(mode)) throw new Error('the URL turns off TLS, but the options require it.')
  return isRequired || TLS_ON.includes(mode)
}
