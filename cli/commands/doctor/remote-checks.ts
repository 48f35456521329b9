/** What `doctor --url` sees of a deployment: mostly what a proxy does to it. */
import { randomBytes } from 'node:crypto'
import { type CheckResult, fail, ok, warn } from './check-result.js'
import { type RawResponse, sendRequest } from './raw-request.js'
import { compareWebApp } from './verify-web-app.js'

const SKEW_MS = 30_000
/** A part of a file, as the web app sends it. */
const PART_BYTES = 16 * 2 ** 20
/** How long to wait for an answer that a proxy may be holding back. */
const EARLY_ANSWER_MS = 3_000
/** An address that nobody has (RFC 5737). */
const FORGED_ADDRESS = '192.0.2.66'
const PROXY_DOCS = 'docs/one-machine.md has proxies that are set up right'

type Check = (base: string, timeoutMs: number) => Promise<CheckResult[]>

/** Each check on its own; one that breaks off is a finding, too. */
export async function runRemoteChecks(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const first = await sendRequest(new URL('healthz', base), timeoutMs).catch((error: NodeJS.ErrnoException) => error)
  if (first instanceof Error) {
    const code = (first as NodeJS.ErrnoException).code ?? first.message
    return [fail('https', 'address', `does not answer (${code})`, 'is the server up, and its certificate good?')]
  }
  const findings: CheckResult[] = []
  for (const check of CHECKS) {
    findings.push(
      ...(await check(base, timeoutMs).catch((error: NodeJS.ErrnoException) => {
        return [
          fail('proxy', check.name, `broke off (${error.code ?? error.name})`, 'is it a Mayfly that answers here?'),
        ]
      })),
    )
  }
  return findings
}

const CHECKS: Check[] = [
  https,
  clock,
  views,
  callers,
  host,
  bodies,
  buffering,
  errors,
  caching,
  compression,
  metrics,
  pageHeaders,
  web,
]

async function https(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const { protocol, hostname } = new URL(base)
  if (protocol !== 'https:') {
    const isHere = /^(localhost|127\.|\[::1\])/.test(hostname)
    return [
      (isHere ? warn : fail)(
        'https',
        'encryption',
        'is off',
        'put a proxy with https in front: see docs/one-machine.md',
      ),
    ]
  }
  const { headers } = await sendRequest(base, timeoutMs)
  const seconds = Number(/max-age=(\d+)/.exec(headers['strict-transport-security'] ?? '')?.[1] ?? 0)
  if (seconds >= 15_552_000) return [ok('https', 'hsts', 'is on')]
  return [
    fail(
      'https',
      'hsts',
      'browsers are not told to come by https',
      'set MAYFLY_PUBLIC_URL to https, and let Strict-Transport-Security through',
    ),
  ]
}

async function clock(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const { headers } = await sendRequest(new URL('healthz', base), timeoutMs)
  const skew = Math.abs(Date.parse(headers.date ?? '') - Date.now())
  if (skew <= SKEW_MS) return [ok('https', 'clock', 'is that of this machine')]
  return [
    fail(
      'https',
      'clock',
      `is ${Math.round(skew / 1000)} seconds from that of this machine`,
      'run chrony or systemd-timesyncd on both',
    ),
  ]
}

/** A secret of two views, looked at as previews do, opened once: then one view is left. */
async function views(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const body = JSON.stringify({ text: randomBytes(8).toString('hex'), ttl: 600, maxViews: 2 })
  const headers = { 'content-type': 'application/json' }
  const created = await sendRequest(new URL('api/v1/secret', base), timeoutMs, { method: 'POST', headers, body })
  if (created.status !== 201)
    return [warn('proxy', 'views', `no secret could be made (${created.status})`, 'is the instance read-only?')]
  const { id, url, burnToken } = JSON.parse(created.body) as { id: string; url: string; burnToken: string }
  const at = new URL(`api/v1/secret/${id}`, base)
  try {
    const found: CheckResult[] = []
    if (!url.startsWith(base)) {
      found.push(
        fail(
          'proxy',
          'links',
          'lead to another address than this one',
          `set MAYFLY_PUBLIC_URL to ${base.replace(/\/$/, '')}`,
        ),
      )
    }
    await sendRequest(new URL(`secret/${id}`, base), timeoutMs)
    await sendRequest(at, timeoutMs, { method: 'HEAD' })
    const before = JSON.parse((await sendRequest(`${at.href}/exist`, timeoutMs)).body).maxViews
    const after = JSON.parse((await sendRequest(at, timeoutMs)).body).maxViews
    if (before === 2 && after === 1)
      return [...found, ok('proxy', 'views', 'looking uses nothing up, opening counts once')]
    const what = before === 2 ? 'opening once counts more often' : 'looking at a link uses it up'
    return [...found, fail('proxy', 'views', what, 'take out whatever mirrors, repeats or prefetches requests')]
  } finally {
    await sendRequest(`${at.href}/burn`, timeoutMs, {
      method: 'POST',
      headers,
      body: JSON.stringify({ burnToken }),
    }).catch(() => {})
  }
}

async function callers(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const seenAs = async (headers: Record<string, string>) => {
    const answer = await sendRequest(new URL('api/v1/settings', base), timeoutMs, { headers })
    return { ...answer, address: String(JSON.parse(answer.body).address) }
  }
  const forged = await seenAs({
    'x-forwarded-for': FORGED_ADDRESS,
    'x-real-ip': FORGED_ADDRESS,
    forwarded: `for=${FORGED_ADDRESS}`,
  })
  if (forged.address === FORGED_ADDRESS) {
    return [
      fail('proxy', 'callers', 'X-Forwarded-For of a caller is believed', `let the proxy set it anew; ${PROXY_DOCS}`),
    ]
  }
  const { address, localAddress, remoteAddress } = await seenAs({})
  const plain = (text: string) => text.replace(/^::ffff:/, '')
  // Behind a translation of addresses we cannot know how others see us, but not as a machine of their own.
  const isNear = isPrivate(plain(remoteAddress))
  if (isNear ? plain(localAddress) === address || !isPrivate(address) : !isPrivate(address))
    return [ok('proxy', 'callers', `you come from ${address}`)]
  return [
    fail(
      'proxy',
      'callers',
      `everybody seems to come from ${address}`,
      `set MAYFLY_TRUSTED_PROXIES to it, and let it send X-Forwarded-For; ${PROXY_DOCS}`,
    ),
  ]
}

const isPrivate = (address: string): boolean =>
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd])/.test(address)

async function host(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const evil = 'mayfly-doctor.invalid'
  const answers = await Promise.all([
    sendRequest(base, timeoutMs, { headers: { host: evil } }),
    sendRequest(base, timeoutMs, { headers: { 'x-forwarded-host': evil } }),
  ])
  const repeats = ({ headers, body }: RawResponse) =>
    String(headers.location ?? '').includes(evil) || body.includes(evil)
  if (!answers.some(repeats)) return [ok('proxy', 'host', 'of a caller is not repeated')]
  return [fail('proxy', 'host', 'of a caller is repeated in an answer', 'name the host in redirects instead of $host')]
}

/** nginx refuses by what the length says, before a byte was sent. */
async function bodies(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const body = 'x'.repeat(64 * 1024)
  const answer = await sendRequest(new URL('api/v1/nothing', base), Math.min(timeoutMs, EARLY_ANSWER_MS), {
    method: 'POST',
    body,
    contentLength: PART_BYTES,
  }).catch(() => null)
  if (answer?.status === 413)
    return [fail('proxy', 'bodies', 'parts of files are too large for the proxy', `let 16 MiB through; ${PROXY_DOCS}`)]
  return [ok('proxy', 'bodies', 'of 16 MiB are let through')]
}

/** A call that is not there is answered before its body has come, unless somebody collects the body first. */
async function buffering(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const body = 'x'.repeat(64 * 1024)
  const answer = await sendRequest(new URL('api/v1/nothing', base), Math.min(timeoutMs, EARLY_ANSWER_MS), {
    method: 'POST',
    body,
    contentLength: 2 ** 20,
  }).catch(() => null)
  if (answer && answer.status < 500) return [ok('proxy', 'buffering', 'of uploads is off')]
  return [
    warn(
      'proxy',
      'buffering',
      'uploads are collected before they are passed on',
      `turn request buffering off; ${PROXY_DOCS}`,
    ),
  ]
}

async function errors(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const { body } = await sendRequest(new URL('api/v1/nothing', base), timeoutMs)
  if (/"code":"request\.not_found"/.test(body)) return [ok('proxy', 'errors', 'arrive as they are')]
  return [
    fail(
      'proxy',
      'errors',
      'are replaced by others',
      'let the answers of the server through (proxy_intercept_errors off)',
    ),
  ]
}

async function caching(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const url = new URL('api/v1/settings', base)
  const [one, two] = [await sendRequest(url, timeoutMs), await sendRequest(url, timeoutMs)]
  if (one.headers['x-request-id'] !== undefined && one.headers['x-request-id'] === two.headers['x-request-id']) {
    return [fail('headers', 'caching', 'answers are kept and given to others', 'turn the cache of the proxy off')]
  }
  if (!/no-store/.test(one.headers['cache-control'] ?? '')) {
    return [fail('headers', 'caching', 'is not forbidden any more', 'let Cache-Control through as it is')]
  }
  return [ok('headers', 'caching', 'is off')]
}

async function compression(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const { headers } = await sendRequest(new URL('api/v1/openapi.json', base), timeoutMs, {
    headers: { 'accept-encoding': 'gzip, br, zstd' },
  })
  if (headers['content-encoding'] === undefined) return [ok('headers', 'compression', 'of the API is off')]
  return [
    fail(
      'headers',
      'compression',
      'answers of the API are compressed, so that their length tells of what is in them',
      'turn compression off in the proxy: the server sends its pages compressed',
    ),
  ]
}

async function metrics(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const { status, body } = await sendRequest(new URL('metrics', base), timeoutMs)
  if (status !== 200 || !/^# (HELP|TYPE) /m.test(body)) return [ok('proxy', 'metrics', 'are not for everybody')]
  return [fail('proxy', 'metrics', 'are there for everybody', 'give them a token, or do not pass /metrics on')]
}

/** The page carries its policy itself, too: the header must say the same and more. */
async function pageHeaders(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const { headersDistinct, body } = await sendRequest(base, timeoutMs)
  const [policy = '', ...more] = headersDistinct['content-security-policy'] ?? []
  const own = /http-equiv="Content-Security-Policy" content="([^"]*)"/i.exec(body)?.[1]?.replaceAll('&#39;', "'") ?? ''
  const directives = policy.split(/;\s*/)
  const missing = own.split(/;\s*/).filter((each) => each !== '' && !directives.includes(each))
  const found: CheckResult[] = []
  const isSame = more.length === 0 && missing.length === 0 && directives.includes("frame-ancestors 'none'")
  found.push(
    isSame
      ? ok('headers', 'policy', 'is that of the server')
      : fail(
          'headers',
          'policy',
          'Content-Security-Policy is not that of the server',
          'let the proxy set none of its own',
        ),
  )
  const wanted = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' }
  const wrong = Object.entries(wanted).filter(([name, value]) => headersDistinct[name]?.join() !== value)
  found.push(
    wrong.length === 0
      ? ok('headers', 'others', 'are those of the server')
      : fail(
          'headers',
          'others',
          `${wrong.map(([name]) => name).join(', ')} changed on the way`,
          'let the proxy set none of its own',
        ),
  )
  return found
}

async function web(base: string, timeoutMs: number): Promise<CheckResult[]> {
  const { files, problems } = await compareWebApp(base, timeoutMs)
  if (problems.length === 0) return [ok('web', 'app', `its ${files} files are those of this version`)]
  return [
    fail(
      'web',
      'app',
      problems.slice(0, 3).join('; '),
      'use the same version here and there; else the server or the proxy changes it',
    ),
  ]
}
