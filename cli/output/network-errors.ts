/** Describes why no response arrived, and what the user can do about it. */

interface NetworkProblem {
  /** Code of the system or of OpenSSL; undefined if there is none. */
  reason: string | undefined
  hint: string
}

const HINTS: [RegExp, string][] = [
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_UNTRUSTED)/,
    "the server's certificate comes from another authority: name it with --ca FILE, `mayfly config set ca=FILE` or NODE_EXTRA_CA_CERTS",
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate has another name: check the host in the address'],
  [/^CERT_HAS_EXPIRED$/, 'the certificate of the server has expired: tell its administrator'],
  [/^CERT_/, 'check the certificate of the server, and the clock of this machine'],
  [
    /^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/,
    'the server speaks http at this port, not https: check scheme and port of the address',
  ],
  [
    /^(HPE_|the server speaks TLS)/,
    'the server speaks https at this port, or is not an HTTP server: check scheme and port of the address',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the name of the server is unknown: check the address and the network'],
  [/^timed out$/, 'try again, or wait longer with --timeout'],
]
const DEFAULT_HINT = 'check the server address and try again; --retry 5m waits for a server that restarts'

/** `cause`: of the NetworkError. */
export function describeNetworkProblem(cause: unknown): NetworkProblem {
  const reason = findReason(cause)
  const proxy = findProxyOf(cause)
  if (proxy !== undefined) {
    const hint = `check ${proxy.variable}, or name the server in NO_PROXY`
    return { reason: `${reason ?? 'failed'}, through the proxy ${proxy.host} of ${proxy.variable}`, hint }
  }
  return { reason, hint: HINTS.find(([pattern]) => pattern.test(reason ?? ''))?.[1] ?? DEFAULT_HINT }
}

/** The proxy of a connection that failed before it reached the server. */
export interface FailedProxy {
  host: string
  /** The variable that names it. */
  variable: string
}

function findProxyOf(cause: unknown): FailedProxy | undefined {
  if (!(cause instanceof Error)) return undefined
  return (cause as { proxy?: FailedProxy }).proxy ?? findProxyOf(cause.cause)
}

/** Returns the code of the error, such as ECONNREFUSED, or a timeout. */
function findReason(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined
  if (cause.name === 'TimeoutError') return 'timed out'
  return (cause as NodeJS.ErrnoException).code ?? findReason(cause.cause)
}
