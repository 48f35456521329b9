/** Checks of `doctor --url`: mostly what a reverse proxy changes. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { encryptedPartLength, PART_SIZE } from '#shared/crypto/encrypted-sizes'
import { pagePolicy } from '#shared/page/page-headers'
import { PROCESS_ROLES, type ProcessRole } from '#shared/process-role'
import { createNodeFetch } from '../../client/node-fetch.js'
import type { Transport } from '../../client/transport-options.js'
import { formatBytes } from '../../output/format-bytes.js'
import { type CheckResult, fail, ok, warn } from './check-result.js'
import { createRequestSender, type RawResponse, type SendRequest } from './raw-request.js'
import { compareWebApp } from './verify-web-app.js'

const SKEW_MS = 30_000
/** Timeout for a response that a proxy may delay. */
const EARLY_ANSWER_MS = 3_000
/** A documentation address (RFC 5737). */
const FORGED_ADDRESS = '192.0.2.66'
/** Views of the test secret. */
const VIEWS = 3
/** How long a proxy may take to repeat a request. */
const MIRROR_MS = 1_000
const PROXY_DOCS = 'see docs/one-machine.md for proxy configurations'

export interface RemoteOptions {
  /** URL of the instance with a trailing slash. */
  base: string
  transport: Transport
  /** For each request. */
  timeoutMs: number
  /** Run also the checks of the web app, with hundreds of requests. */
  compareWeb: boolean
}

interface Target extends RemoteOptions {
  send: SendRequest
}

type Check = (target: Target) => Promise<CheckResult[]>

/** Runs all checks. A check that throws becomes a failed result. */
export async function runRemoteChecks(options: RemoteOptions): Promise<CheckResult[]> {
  const send = createRequestSender(options.transport, options.timeoutMs)
  const target = { ...options, send }
  const first = await send(new URL('healthz', options.base)).catch((error: NodeJS.ErrnoException) => error)
  if (first instanceof Error) {
    const code = (first as NodeJS.ErrnoException).code ?? first.message
    return [
      fail('https', 'address', `unreachable (${code})`, 'check that the server runs and its certificate is valid'),
    ]
  }
  const role = await readRole(target)
  const results: CheckResult[] = [ok('https', 'role', role)]
  for (const [name, check] of Object.entries(CHECKS)) {
    if (name === 'web' && !options.compareWeb) continue
    if (role === 'open' && CREATING.has(name)) {
      results.push(ok('proxy', name, 'not checked, because this server creates no secrets; check the internal one'))
      continue
    }
    results.push(
      ...(await check(target).catch((error: NodeJS.ErrnoException) => {
        return [
          fail('proxy', name, `failed (${error.code ?? error.name})`, 'check that the address is a Mayfly server'),
        ]
      })),
    )
  }
  return results
}

/** By the name that a failed check is reported with. */
const CHECKS: Record<string, Check> = {
  https: checkHttps,
  clock: checkClock,
  views: checkViews,
  callers: checkClientAddress,
  host: checkHostHeader,
  bodies: checkBodySize,
  buffering: checkRequestBuffering,
  errors: checkErrorResponses,
  caching: checkCaching,
  compression: checkCompression,
  metrics: checkMetrics,
  pageHeaders: checkPageHeaders,
  web: checkWebApp,
}

/** Checks that create a secret or upload a file. */
const CREATING: ReadonlySet<string> = new Set(['views', 'bodies'])

/** Returns `all` for a server that does not report its role; other checks then report the problem. */
async function readRole({ base, send }: Target): Promise<ProcessRole> {
  try {
    const { role } = JSON.parse((await send(new URL('api/v1/settings', base))).body)
    return PROCESS_ROLES.includes(role) ? role : 'all'
  } catch {
    return 'all'
  }
}

async function checkHttps({ base, send }: Target): Promise<CheckResult[]> {
  const { protocol, hostname } = new URL(base)
  if (protocol !== 'https:') {
    const isHere = /^(localhost|127\.|\[::1\])/.test(hostname)
    return [
      (isHere ? warn : fail)(
        'https',
        'encryption',
        'off',
        'put an https reverse proxy in front, see docs/one-machine.md',
      ),
    ]
  }
  const { headers } = await send(base)
  const seconds = Number(/max-age=(\d+)/.exec(headers['strict-transport-security'] ?? '')?.[1] ?? 0)
  if (seconds >= 15_552_000) return [ok('https', 'hsts', 'on')]
  return [
    fail(
      'https',
      'hsts',
      'Strict-Transport-Security is missing or too short',
      'set MAYFLY_PUBLIC_URL to an https URL, and pass the header through',
    ),
  ]
}

async function checkClock({ base, send }: Target): Promise<CheckResult[]> {
  const { headers } = await send(new URL('healthz', base))
  const skew = Math.abs(Date.parse(headers.date ?? '') - Date.now())
  if (skew <= SKEW_MS) return [ok('https', 'clock', 'in sync with this machine')]
  return [
    fail(
      'https',
      'clock',
      `differs by ${Math.round(skew / 1000)} seconds from this machine`,
      'run chrony or systemd-timesyncd on both',
    ),
  ]
}

/**
 * Creates a secret with three views, loads its page like a link preview, and opens it once: two views must be left,
 * also a moment later, when a proxy that mirrors requests has repeated the view.
 */
async function checkViews({ base, send }: Target): Promise<CheckResult[]> {
  const body = JSON.stringify({ text: randomBytes(8).toString('hex'), ttl: 600, maxViews: VIEWS })
  const headers = { 'content-type': 'application/json' }
  const created = await send(new URL('api/v1/secret', base), { method: 'POST', headers, body })
  if (created.status !== 201)
    return [
      warn('proxy', 'views', `cannot create a secret (${created.status})`, 'check whether the instance is read-only'),
    ]
  const { id, url, burnToken } = JSON.parse(created.body) as { id: string; url: string; burnToken: string }
  const at = new URL(`api/v1/secret/${id}`, base)
  try {
    const results: CheckResult[] = []
    if (!url.startsWith(base)) {
      results.push(
        fail('proxy', 'links', 'point to another address', `set MAYFLY_PUBLIC_URL to ${base.replace(/\/$/, '')}`),
      )
    }
    await send(new URL(`secret/${id}`, base))
    await send(at, { method: 'HEAD' })
    const countLeft = async () => JSON.parse((await send(`${at.href}/exist`)).body).maxViews ?? 0
    const before = await countLeft()
    const after = JSON.parse((await send(at)).body).maxViews
    await sleep(MIRROR_MS)
    const later = await countLeft()
    if (before === VIEWS && after === VIEWS - 1 && later === after)
      return [...results, ok('proxy', 'views', 'a preview uses no view, opening uses one')]
    const what = before === VIEWS ? 'opening once uses several views' : 'loading a link uses a view'
    return [...results, fail('proxy', 'views', what, 'remove proxies that mirror, repeat or prefetch requests')]
  } finally {
    await send(`${at.href}/burn`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ burnToken }),
    }).catch(() => {})
  }
}

async function checkClientAddress({ base, send, transport }: Target): Promise<CheckResult[]> {
  const fetchAddress = async (headers: Record<string, string>) => {
    const response = await send(new URL('api/v1/settings', base), { headers })
    return { ...response, address: JSON.parse(response.body).address as string | null }
  }
  const forged = await fetchAddress({
    'x-forwarded-for': FORGED_ADDRESS,
    'x-real-ip': FORGED_ADDRESS,
    forwarded: `for=${FORGED_ADDRESS}`,
  })
  if (forged.address === FORGED_ADDRESS) {
    return [
      fail(
        'proxy',
        'callers',
        'a forged X-Forwarded-For is trusted',
        `let the proxy overwrite the header; ${PROXY_DOCS}`,
      ),
    ]
  }
  const { address, localAddress, remoteAddress } = await fetchAddress({})
  if (address === null) {
    const what = 'the addresses of clients are unknown'
    return [fail('proxy', 'callers', what, `let the proxy send X-Forwarded-For; ${PROXY_DOCS}`)]
  }
  // Through a forward proxy, the addresses of the connection say nothing.
  if (transport.proxy !== null) return [ok('proxy', 'callers', `your address is ${address}`)]
  const plain = (text: string) => text.replace(/^::ffff:/, '')
  // Behind NAT the expected address is unknown, but it is not a private address of the server's network.
  const isNear = isPrivate(plain(remoteAddress))
  if (isNear ? plain(localAddress) === address || !isPrivate(address) : !isPrivate(address))
    return [ok('proxy', 'callers', `your address is ${address}`)]
  return [
    fail(
      'proxy',
      'callers',
      `all clients seem to have the address ${address}`,
      `set MAYFLY_TRUSTED_PROXIES to it, and send X-Forwarded-For; ${PROXY_DOCS}`,
    ),
  ]
}

const isPrivate = (address: string): boolean =>
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd])/.test(address)

async function checkHostHeader({ base, send }: Target): Promise<CheckResult[]> {
  const evil = 'mayfly-doctor.invalid'
  const responses = await Promise.all([
    send(base, { headers: { host: evil } }),
    send(base, { headers: { 'x-forwarded-host': evil } }),
  ])
  const repeatsHost = ({ headers, body }: RawResponse) =>
    String(headers.location ?? '').includes(evil) || body.includes(evil)
  if (!responses.some(repeatsHost)) return [ok('proxy', 'host', 'a forged Host header is ignored')]
  return [
    fail(
      'proxy',
      'host',
      'a forged Host header appears in a response',
      'use a fixed host name in redirects instead of $host',
    ),
  ]
}

/** Uploads one part of a file as the web app does, because a proxy may also reject or cut a body while it arrives. */
async function checkBodySize({ base, send }: Target): Promise<CheckResult[]> {
  const limits = JSON.parse((await send(new URL('api/v1/settings', base))).body).limits
  const size = encryptedPartLength(Math.min(PART_SIZE, limits?.maxFileBytes ?? PART_SIZE))
  const body = JSON.stringify({ size, parts: 1 })
  const json = { 'content-type': 'application/json' }
  const created = await send(new URL('api/v1/files', base), { method: 'POST', headers: json, body })
  if (created.status !== 201) {
    const fix = 'allow uploads of visitors during the check (visitorUploads), or check a file upload by hand'
    return [warn('proxy', 'bodies', `not checked, the server refuses an upload (${created.status})`, fix)]
  }
  const { id, token } = JSON.parse(created.body) as { id: string; token: string }
  const headers = { authorization: `Upload ${token}` }
  const file = new URL(`api/v1/files/${id}`, base)
  try {
    const part = { method: 'PUT', headers: { ...headers, 'content-type': 'application/octet-stream' } }
    const sent = await send(`${file.href}/0`, { ...part, body: 'x'.repeat(size) }).catch(() => null)
    if (sent?.status === 204) return [ok('proxy', 'bodies', `parts of files of ${formatBytes(size)} pass`)]
    const why = sent === null ? 'the connection ended' : `status ${sent.status}`
    const what = `a part of a file of ${formatBytes(size)} does not pass (${why})`
    return [fail('proxy', 'bodies', what, `allow bodies of 16 MiB; ${PROXY_DOCS}`)]
  } finally {
    await send(file, { method: 'DELETE', headers }).catch(() => {})
  }
}

/** The server responds to an unknown endpoint before the body ends, unless a proxy buffers the request. */
async function checkRequestBuffering({ base, send, timeoutMs }: Target): Promise<CheckResult[]> {
  const body = 'x'.repeat(64 * 1024)
  const response = await send(new URL('api/v1/nothing', base), {
    timeoutMs: Math.min(timeoutMs, EARLY_ANSWER_MS),
    method: 'POST',
    body,
    contentLength: 2 ** 20,
  }).catch(() => null)
  if (response && response.status < 500) return [ok('proxy', 'buffering', 'requests are not buffered')]
  return [warn('proxy', 'buffering', 'the proxy buffers requests', `turn request buffering off; ${PROXY_DOCS}`)]
}

async function checkErrorResponses({ base, send }: Target): Promise<CheckResult[]> {
  const { body } = await send(new URL('api/v1/nothing', base))
  if (/"code":"request\.not_found"/.test(body)) return [ok('proxy', 'errors', 'passed through unchanged')]
  return [
    fail(
      'proxy',
      'errors',
      'replaced by the proxy',
      "pass the server's error responses through (nginx: proxy_intercept_errors off)",
    ),
  ]
}

async function checkCaching({ base, send }: Target): Promise<CheckResult[]> {
  const url = new URL('api/v1/settings', base)
  const [one, two] = [await send(url), await send(url)]
  if (one.headers['x-request-id'] !== undefined && one.headers['x-request-id'] === two.headers['x-request-id']) {
    return [fail('headers', 'caching', 'responses are cached', 'turn off the cache of the proxy')]
  }
  if (!/no-store/.test(one.headers['cache-control'] ?? '')) {
    return [fail('headers', 'caching', 'Cache-Control was changed', 'pass Cache-Control through unchanged')]
  }
  return [ok('headers', 'caching', 'off')]
}

async function checkCompression({ base, send }: Target): Promise<CheckResult[]> {
  const { headers } = await send(new URL('api/v1/openapi.json', base), {
    headers: { 'accept-encoding': 'gzip, br, zstd' },
  })
  if (headers['content-encoding'] === undefined)
    return [ok('headers', 'compression', 'API responses are not compressed')]
  return [
    fail(
      'headers',
      'compression',
      'API responses are compressed, their length reveals something about the content',
      'turn off compression in the proxy; the server compresses its pages itself',
    ),
  ]
}

async function checkMetrics({ base, send }: Target): Promise<CheckResult[]> {
  const { status, body } = await send(new URL('metrics', base))
  if (status !== 200 || !/^# (HELP|TYPE) /m.test(body)) return [ok('proxy', 'metrics', 'not public')]
  return [fail('proxy', 'metrics', 'public', "set a token, or don't forward /metrics")]
}

async function checkPageHeaders({ base, send }: Target): Promise<CheckResult[]> {
  const { headersDistinct } = await send(base)
  const policies = headersDistinct['content-security-policy'] ?? []
  const released = ['http:', 'https:'].map((publicUrl) => pagePolicy(publicUrl, false))
  const results: CheckResult[] = []
  const isSame = policies.length === 1 && released.includes(policies[0] ?? '')
  results.push(
    isSame
      ? ok('headers', 'policy', 'unchanged')
      : fail('headers', 'policy', 'Content-Security-Policy was changed', "don't set these headers in the proxy"),
  )
  const wanted = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' }
  const wrong = Object.entries(wanted).filter(([name, value]) => headersDistinct[name]?.join() !== value)
  results.push(
    wrong.length === 0
      ? ok('headers', 'others', 'unchanged')
      : fail(
          'headers',
          'others',
          `${wrong.map(([name]) => name).join(', ')} changed by a proxy`,
          "don't set these headers in the proxy",
        ),
  )
  return results
}

async function checkWebApp({ base, transport, timeoutMs }: Target): Promise<CheckResult[]> {
  const { files, problems } = await compareWebApp(base, {
    timeoutMs,
    headers: transport.headers,
    send: createNodeFetch(transport),
  })
  if (problems.length === 0) return [ok('web', 'app', `${files} files match this version`)]
  return [
    fail(
      'web',
      'app',
      problems.slice(0, 3).join('; '),
      'run doctor from the same version; otherwise the server or a proxy changed the web app',
    ),
  ]
}
