/**
 * URLs of database servers, as providers show them. Messages never contain a part of the URL except the name of a
 * parameter.
 */

/** TLS setting of a URL. `prefer`: TLS if the server supports it. */
export type TlsMode = 'disable' | 'prefer' | 'require'

export interface ServerUrl {
  host: string
  /** null: the default port of the engine. */
  port: number | null
  user: string
  password: string
  database: string
  /** Path of a Unix socket, used instead of host and port. */
  socket: string | null
  /** null: not in the URL. */
  tls: TlsMode | null
  /** File with the certificate authorities; null: not in the URL. */
  ca: string | null
  /** Values of the parameters that the engine reads, by name. */
  parameters: Map<string, string>
}

/** The URLs of one engine. */
export interface UrlDialect {
  schemes: readonly [string, ...string[]]
  /** Parameters with a path of a socket, with a TLS mode, and with the file of authorities. */
  socket: readonly string[]
  tls: Readonly<Record<string, Readonly<Record<string, TlsMode>>>>
  ca: readonly string[]
  /** Further parameters, and the values that are allowed; null: any. */
  read: Readonly<Record<string, RegExp | null>>
  /** Parameters of other clients, which are ignored. */
  ignored: readonly string[]
}

const PLAIN_NAME = /^[A-Za-z][\w.-]{0,39}$/
/** A value of `ca` that stands for the authorities that Node.js trusts. */
const SYSTEM_CA = 'system'

/** The driver connects to one host. */
const SEVERAL_HOSTS = /^[\w+]+:\/\/(?:[^/?#]*@)?[^/?#@]*,/

/** The form of the URL and how to write a password in it. */
const describeForm = ({ schemes: [scheme] }: UrlDialect) =>
  `must have the form ${scheme}://user:password@host:port/database; in a password, write @ as %40, / as %2F, # as %23, ? as %3F and % as %25`

/** Returns the parts of the URL, or a message that describes the problem. */
export function parseServerUrl(text: string, dialect: UrlDialect): ServerUrl | string {
  const form = describeForm(dialect)
  if (SEVERAL_HOSTS.test(text)) return 'may name one host only: an address that always leads to the primary'
  const parts = splitUrl(text, dialect)
  if (parts === null) return form
  const { url, database, user, password, host } = parts
  if (database === '') return `does not name a database: ${form}`
  const parameters = new Map(url.searchParams)
  const allowed = listParameters(dialect)
  const unknown = [...parameters.keys()].find((name) => !allowed.includes(name) && !dialect.ignored.includes(name))
  if (unknown !== undefined) {
    const name = PLAIN_NAME.test(unknown) ? ` "${unknown}"` : ''
    return `may not have the parameter${name}; allowed are ${allowed.join(', ')}`
  }
  const find = (names: readonly string[]) =>
    names.map((name) => parameters.get(name)).find((value) => value !== undefined)
  const tls = readTls(parameters, dialect)
  if (typeof tls === 'object' && tls !== null) return tls.problem
  for (const [name, values] of Object.entries(dialect.read)) {
    if (values && !values.test(parameters.get(name) ?? '')) return `has a value of ${name} that is not supported`
  }
  const ca = find(dialect.ca) ?? null
  return {
    user,
    password,
    host,
    database,
    tls,
    parameters,
    port: url.port === '' ? null : Number(url.port),
    socket: find(dialect.socket) ?? null,
    ca: ca === SYSTEM_CA ? null : ca,
  }
}

const listParameters = ({ socket, tls, ca, read }: UrlDialect) => [
  ...Object.keys(tls),
  ...ca,
  ...socket,
  ...Object.keys(read),
]

/** Null when the URL has another form: then any part of it may belong to the password. */
function splitUrl(text: string, { schemes }: UrlDialect) {
  const [, scheme = '', , rest = ''] = /^([a-z]+):\/\/([^/?#]*)(.*)$/s.exec(text) ?? []
  // The parser would remove control characters. An @ after the host belongs to a password with / or ? or #.
  if (!schemes.includes(scheme) || /[@#]/.test(rest) || /[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  try {
    return {
      url,
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      host: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
      database: decodeURIComponent(url.pathname.slice(1)),
    }
  } catch {
    return null
  }
}

function readTls(parameters: Map<string, string>, { tls }: UrlDialect): TlsMode | null | { problem: string } {
  for (const [name, modes] of Object.entries(tls)) {
    const value = parameters.get(name)?.toLowerCase()
    if (value === undefined) continue
    const mode = Object.hasOwn(modes, value) ? modes[value] : undefined
    return (
      mode ?? { problem: `has a value of ${name} that is not supported; use one of ${Object.keys(modes).join(', ')}` }
    )
  }
  return null
}
