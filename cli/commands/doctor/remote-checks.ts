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
import { createRequestSender, type RawRequest, type RawResponse } from './raw-request.js'
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
const JSON_BODY = { 'content-type': 'application/json' }
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
  /** `path`: below `base`. */
  send(path: string, request?: RawRequest): Promise<RawResponse>
}

type Check = (target: Target) => Promise<CheckResult | CheckResult[]>

/** Runs all checks. A check that throws becomes a failed result. */
export async function runRemoteChecks(options: RemoteOptions): Promise<CheckResult[]> {
  const sendTo = createRequestSender(options.transport, options.timeoutMs)
  const target: Target = { ...options, send: (path, request) => sendTo(new URL(path, options.base), request) }
  const first = await target.send('healthz').catch((error: NodeJS.ErrnoException) => error)
  if (first instanceof Error) {
    const what = `unreachable (${first.code ?? first.message})`
    return [fail('https', 'address', what, 'check that the server runs and its certificate is valid')]
  }
  const role = await readRole(target)
  const results: CheckResult[] = [ok('https', 'role', role)]
  for (const [name, check] of Object.entries(CHECKS)) {
    if (name === 'web' && !options.compareWeb) continue
    if (role === 'open' && CREATING.has(name)) {
      results.push(ok('proxy', name, 'not checked, because this server creates no secrets; check the internal one'))
      continue
    }
    const found = await check(target).catch((error: NodeJS.ErrnoException) =>
      fail('proxy', name, `failed (${error.code ?? error.name})`, 'check that the address is a Mayfly server'),
    )
    results.push(...[found].flat())
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
async function readRole({ send }: Target): Promise<ProcessRole> {
  try {
    const { role } = JSON.parse((await send('api/v1/settings')).body)
    return PROCESS_ROLES.includes(role) ? role : 'all'
  } catch {
    return 'all'
  }
}

async function checkHttps({ base, send }: Target): Promise<CheckResult> {
  const { protocol, hostname } = new URL(base)
  if (protocol !== 'https:') {
    const isHere = /^(localhost|127\.|\[::1\])/.test(hostname)
    const fix = 'put an https reverse proxy in front, see docs/one-machine.md'
    return (isHere ? warn : fail)('https', 'encryption', 'off', fix)
  }
  const { headers } = await send('')
  const seconds = Number(/max-age=(\d+)/.exec(headers['strict-transport-security'] ?? '')?.[1] ?? 0)
  if (seconds >= 15_552_000) return ok('https', 'hsts', 'on')
  const fix = 'set MAYFLY_PUBLIC_URL to an https URL, and pass the header through'
  return fail('https', 'hsts', 'Strict-Transport-Security is missing or too short', fix)
}

async function checkClock({ send }: Target): Promise<CheckResult> {
  const { headers } = await send('healthz')
  const skew = Math.abs(Date.parse(headers.date ?? '') - Date.now())
  if (skew <= SKEW_MS) return ok('https', 'clock', 'in sync with this machine')
  const what = `differs by ${Math.round(skew / 1000)} seconds from this machine`
  return fail('https', 'clock', what, 'run chrony or systemd-timesyncd on both')
}

/**
 * Creates a secret with three views, loads its page like a link preview, and opens it once: two views must be left,
 * also a moment later, when a proxy that mirrors requests has repeated the view.
 */
async function checkViews({ base, send }: Target): Promise<CheckResult[]> {
  const body = JSON.stringify({ text: randomBytes(8).toString('hex'), ttl: 600, maxViews: VIEWS })
  const created = await send('api/v1/secret', { method: 'POST', headers: JSON_BODY, body })
  if (created.status !== 201) {
    const what = `cannot create a secret (${created.status})`
    return [warn('proxy', 'views', what, 'check whether the instance is read-only')]
  }
  const { id, url, burnToken } = JSON.parse(created.body) as { id: string; url: string; burnToken: string }
  const path = `api/v1/secret/${id}`
  const publicUrlFix = `set MAYFLY_PUBLIC_URL to ${base.replace(/\/$/, '')}`
  const links = url.startsWith(base) ? [] : [fail('proxy', 'links', 'point to another address', publicUrlFix)]
  try {
    await send(`secret/${id}`)
    await send(path, { method: 'HEAD' })
    const countLeft = async () => JSON.parse((await send(`${path}/exist`)).body).maxViews ?? 0
    const before = await countLeft()
    const after = JSON.parse((await send(path)).body).maxViews
    await sleep(MIRROR_MS)
    const later = await countLeft()
    if (before === VIEWS && after === VIEWS - 1 && later === after)
      return [...links, ok('proxy', 'views', 'a preview uses no view, opening uses one')]
    const what = before === VIEWS ? 'opening once uses several views' : 'loading a link uses a view'
    return [...links, fail('proxy', 'views', what, 'remove proxies that mirror, repeat or prefetch requests')]
  } finally {
    const burn = { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ burnToken }) }
    await send(`${path}/burn`, burn).catch(() => {})
  }
}

async function checkClientAddress({ send, transport }: Target): Promise<CheckResult> {
  const fetchAddress = async (headers: Record<string, string>) => {
    const response = await send('api/v1/settings', { headers })
    return { ...response, address: JSON.parse(response.body).address as string | null }
  }
  const forged = await fetchAddress({
    'x-forwarded-for': FORGED_ADDRESS,
    'x-real-ip': FORGED_ADDRESS,
    forwarded: `for=${FORGED_ADDRESS}`,
  })
  if (forged.address === FORGED_ADDRESS) {
    const fix = `let the proxy overwrite the header; ${PROXY_DOCS}`
    return fail('proxy', 'callers', 'a forged X-Forwarded-For is trusted', fix)
  }
  const { address, localAddress, remoteAddress } = await fetchAddress({})
  if (address === null) {
    const fix = `let the proxy send X-Forwarded-For; ${PROXY_DOCS}`
    return fail('proxy', 'callers', 'the addresses of clients are unknown', fix)
  }
  const plain = (text: string) => text.replace(/^::ffff:/, '')
  // Behind NAT the expected address is unknown, but it is not a private address of the server's network.
  const isNear = isPrivate(plain(remoteAddress))
  // Through a forward proxy, the addresses of the connection say nothing.
  if (transport.proxy !== null || !isPrivate(address) || (isNear && plain(localAddress) === address))
    return ok('proxy', 'callers', `your address is ${address}`)
  const fix = `set MAYFLY_TRUSTED_PROXIES to it, and send X-Forwarded-For; ${PROXY_DOCS}`
  return fail('proxy', 'callers', `all clients seem to have the address ${address}`, fix)
}

const isPrivate = (address: string): boolean =>
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd])/.test(address)

async function checkHostHeader({ send }: Target): Promise<CheckResult> {
  const evil = 'mayfly-doctor.invalid'
  const responses = await Promise.all([
    send('', { headers: { host: evil } }),
    send('', { headers: { 'x-forwarded-host': evil } }),
  ])
  const repeatsHost = ({ headers, body }: RawResponse) =>
    String(headers.location ?? '').includes(evil) || body.includes(evil)
  if (!responses.some(repeatsHost)) return ok('proxy', 'host', 'a forged Host header is ignored')
  const fix = 'use a fixed host name in redirects instead of $host'
  return fail('proxy', 'host', 'a forged Host header appears in a response', fix)
}

/** Uploads one part of a file as the web app does, because a proxy may also reject or cut a body while it arrives. */
async function checkBodySize({ send }: Target): Promise<CheckResult> {
  const limits = JSON.parse((await send('api/v1/settings')).body).limits
  const size = encryptedPartLength(Math.min(PART_SIZE, limits?.maxFileBytes ?? PART_SIZE))
  const body = JSON.stringify({ size, parts: 1 })
  const created = await send('api/v1/files', { method: 'POST', headers: JSON_BODY, body })
  if (created.status !== 201) {
    const fix = 'allow uploads of visitors during the check (visitorUploads), or check a file upload by hand'
    return warn('proxy', 'bodies', `not checked, the server refuses an upload (${created.status})`, fix)
  }
  const { id, token } = JSON.parse(created.body) as { id: string; token: string }
  const headers = { authorization: `Upload ${token}` }
  const file = `api/v1/files/${id}`
  try {
    const part = { method: 'PUT', headers: { ...headers, 'content-type': 'application/octet-stream' } }
    const sent = await send(`${file}/0`, { ...part, body: 'x'.repeat(size) }).catch(() => null)
    if (sent?.status === 204) return ok('proxy', 'bodies', `parts of files of ${formatBytes(size)} pass`)
    const why = sent === null ? 'the connection ended' : `status ${sent.status}`
    const what = `a part of a file of ${formatBytes(size)} does not pass (${why})`
    return fail('proxy', 'bodies', what, `allow bodies of 16 MiB; ${PROXY_DOCS}`)
  } finally {
    await send(file, { method: 'DELETE', headers }).catch(() => {})
  }
}

/** The server responds to an unknown endpoint before the body ends, unless a proxy buffers the request. */
async function checkRequestBuffering({ send, timeoutMs }: Target): Promise<CheckResult> {
  const response = await send('api/v1/nothing', {
    timeoutMs: Math.min(timeoutMs, EARLY_ANSWER_MS),
    method: 'POST',
    body: 'x'.repeat(64 * 1024),
    contentLength: 2 ** 20,
  }).catch(() => null)
  if (response && response.status < 500) return ok('proxy', 'buffering', 'requests are not buffered')
  return warn('proxy', 'buffering', 'the proxy buffers requests', `turn request buffering off; ${PROXY_DOCS}`)
}

async function checkErrorResponses({ send }: Target): Promise<CheckResult> {
  const { body } = await send('api/v1/nothing')
  if (/"code":"request\.not_found"/.test(body)) return ok('proxy', 'errors', 'passed through unchanged')
  const fix = "pass the server's error responses through (nginx: proxy_intercept_errors off)"
  return fail('proxy', 'errors', 'replaced by the proxy', fix)
}

async function checkCaching({ send }: Target): Promise<CheckResult> {
  const [one, two] = [await send('api/v1/settings'), await send('api/v1/settings')]
  if (one.headers['x-request-id'] !== undefined && one.headers['x-request-id'] === two.headers['x-request-id']) {
    return fail('headers', 'caching', 'responses are cached', 'turn off the cache of the proxy')
  }
  if (!/no-store/.test(one.headers['cache-control'] ?? '')) {
    return fail('headers', 'caching', 'Cache-Control was changed', 'pass Cache-Control through unchanged')
  }
  return ok('headers', 'caching', 'off')
}

async function checkCompression({ send }: Target): Promise<CheckResult> {
  const { headers } = await send('api/v1/openapi.json', { headers: { 'accept-encoding': 'gzip, br, zstd' } })
  if (headers['content-encoding'] === undefined) return ok('headers', 'compression', 'API responses are not compressed')
  const what = 'API responses are compressed, their length reveals something about the content'
  return fail(
    'headers',
    'compression',
    what,
    'turn off compression in the proxy; the server compresses its pages itself',
  )
}

async function checkMetrics({ send }: Target): Promise<CheckResult> {
  const { status, body } = await send('metrics')
  if (status !== 200 || !/^# (HELP|TYPE) /m.test(body)) return ok('proxy', 'metrics', 'not public')
  return fail('proxy', 'metrics', 'public', "set a token, or don't forward /metrics")
}

async function checkPageHeaders({ send }: Target): Promise<CheckResult[]> {
  const { headersDistinct } = await send('')
  const policies = headersDistinct['content-security-policy'] ?? []
  const released = ['http:', 'https:'].map((publicUrl) => pagePolicy(publicUrl, false))
  const isSame = policies.length === 1 && released.includes(policies[0] ?? '')
  const wanted = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' }
  const wrong = Object.entries(wanted).flatMap(([name, value]) => (headersDistinct[name]?.join() === value ? [] : name))
  const fix = "don't set these headers in the proxy"
  return [
    isSame
      ? ok('headers', 'policy', 'unchanged')
      : fail('headers', 'policy', 'Content-Security-Policy was changed', fix),
    wrong.length === 0
      ? ok('headers', 'others', 'unchanged')
      : fail('headers', 'others', `${wrong.join(', ')} changed by a proxy`, fix),
  ]
}

async function checkWebApp({ base, transport, timeoutMs }: Target): Promise<CheckResult> {
  const send = createNodeFetch(transport)
  const { files, problems } = await compareWebApp(base, { timeoutMs, headers: transport.headers, send })
  if (problems.length === 0) return ok('web', 'app', `${files} files match this version`)
  const fix = 'run doctor from the same version; otherwise the server or a proxy changed the web app'
  return fail('web', 'app', problems.slice(0, 3).join('; '), fix)
}
