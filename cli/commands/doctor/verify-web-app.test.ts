/** `verify-web` with genuine pages of differently configured servers, and with a server or proxy that changes them. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRouteMatcher } from '#plugins/web/serve-pages'
import { fillTemplate } from '#shared/page/html-template'
import { createThemeColor, DEFAULT_HUE } from '#shared/page/hue-colors'
import { toMetaPolicy } from '#shared/page/page-headers'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'
import { createNodeFetch } from '../../client/node-fetch.js'
import { comparePage } from './compare-page.js'
import { createPacedFetch } from './paced-fetch.js'
import { readReleasedWebApp } from './released-web-app.js'
import { planPageVisits } from './web-app-visits.js'

const WEB = { MAYFLY_PLUGINS: 'web' }
const BRANDING = {
  MAYFLY_WEB_PRODUCT_NAME: 'Ümläut <b> & "☃" $1 {{product}}',
  MAYFLY_WEB_HUE: 'teal',
  MAYFLY_WEB_FOOTER_LINKS: 'Imprint https://example.org/imprint?a=1&b=2,Mail mailto:a@example.org',
  MAYFLY_WEB_SOURCE_URL: 'https://example.org/source',
  MAYFLY_WEB_NOTICE: `<script src="/evil.js"></script> & 'more' ☃`,
}
const released = readReleasedWebApp()

let folder: string
let server: LocalServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-verify-'))
  await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'privacy.md'), '# Übersicht ☃\n')
  server = await startLocalServer({ env: WEB })
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Page {
  headers: Headers
  html: string
}

async function fetchPage(base: string, path: string, language = 'en') {
  const response = await fetch(new URL(`.${path}`, base), { headers: { 'accept-language': language } })
  return { path, status: response.status, headers: response.headers, html: await response.text() }
}

/** Problems of a page after `change`. */
async function problemsOf(path: string, change: (page: Page) => Partial<Page>): Promise<string[]> {
  const page = await fetchPage(`${server.url}/`, path)
  const { html, headers } = { ...page, ...change(page) }
  return comparePage({ ...page, headers, body: Buffer.from(html) }, `${server.url}/`, released).problems
}

const inHead =
  (element: string) =>
  ({ html }: Page) => ({ html: html.replace('</title>', `</title>${element}`) })
const inBody =
  (element: string) =>
  ({ html }: Page) => ({ html: html.replace('</body>', `${element}</body>`) })

describe('comparePage', () => {
  test.each(['/', '/secret/x', '/privacy', '/lite', '/lite/x'])(
    '%s of the released version is genuine',
    async (path) => {
      expect(await problemsOf(path, () => ({}))).toEqual([])
    },
  )

  test.each(['de', 'ar', 'zh-TW', 'nb'])('the page in %s is genuine', async (language) => {
    for (const path of ['/', '/lite']) {
      const page = await fetchPage(`${server.url}/`, path, language)
      expect(page.html).not.toContain('lang="en"')
      const { problems } = comparePage({ ...page, body: Buffer.from(page.html) }, `${server.url}/`, released)
      expect(problems).toEqual([])
    }
  })

  test.each<[string, (page: Page) => Partial<Page>]>([
    ['a script without an extension', inHead('<script src="/evil"></script>')],
    ['a script in single quotes', inHead("<script src='/evil.js'></script>")],
    ['an inline script in capitals', inHead('<SCRIPT>alert(1)</SCRIPT>')],
    ['a script with a query', inHead('<script src="/assets/x.js?1"></script>')],
    ['an event handler', inBody('<img src=x onerror=alert(1)>')],
    ['a base element', inHead('<base href="https://evil.example/">')],
    ['an iframe', inBody('<iframe src="/evil"></iframe>')],
    ['a refresh', inHead('<meta http-equiv="refresh" content="0;url=https://evil.example/">')],
    ['another text', ({ html }) => ({ html: html.replace(/<title>[^<]*/, '<title>Evil') })],
    ['a text of the same length', ({ html }) => ({ html: html.replace('</main>', '</nain>') })],
    ['a form action', ({ html }) => ({ html: html.replace('<textarea', '<textarea formaction="/evil"') })],
    ['no policy in the page', ({ html }) => ({ html: html.replace(/<meta http-equiv="Content[^>]*>/, '') })],
    ['another language', ({ html }) => ({ html: html.replace('lang="en"', 'lang="../en"') })],
    ['a missing end', ({ html }) => ({ html: html.slice(0, -8) })],
    ['an end that continues', ({ html }) => ({ html: `${html}<script src="/evil.js"></script>` })],
    ['a byte order mark', ({ html }) => ({ html: `\ufeff${html}` })],
    ['a hue that is not a number', ({ html }) => ({ html: html.replace('0.014 275', '0.014 275&quot;') })],
    [
      'branding that is not an object',
      ({ html }) => ({ html: html.replace(/name="site" content="[^"]*/, 'name="site" content="[null]') }),
    ],
  ])('reports %s', async (_, change) => {
    const problems = await problemsOf('/', change)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^\/ (differs in line \d+: |ends too early|contains invalid|does not begin)/)
  })

  test.each<[string, object, string[]]>([
    ['genuine branding', { notice: '<b>☃' }, []],
    ['a logo of another host', { logo: '//evil.example/logo.svg' }, ['/ contains invalid branding']],
    ['another base path', { base: '//evil.example' }, ['/ contains invalid branding']],
    ['a source link with a script', { source: 'javascript:alert(1)' }, ['/ contains invalid branding']],
    ['a link with a script', { links: [{ label: 'ä', href: 'javascript:alert(1)' }] }, ['/ contains invalid branding']],
    ['a link that is null', { links: [null] }, ['/ contains invalid branding']],
  ])('a page that is filled with %s', async (_, branding, expected) => {
    const problems = await problemsOf('/', ({ headers }) => {
      const site = {
        base: '',
        product: 'Mayfly',
        logo: null,
        links: [],
        notice: '',
        role: 'all' as const,
        source: '',
        ...branding,
      }
      const policy = toMetaPolicy(headers.get('content-security-policy') ?? '')
      const translations = (namespace: string) => released.readTranslations('en', namespace)
      const values = { language: 'en', direction: 'ltr' as const, policy, translations }
      const colors = { hasCustomHue: false, themeColor: createThemeColor(DEFAULT_HUE) }
      return { html: fillTemplate(released.templates.app, 'home', { ...values, branding: { site, ...colors } }) }
    })
    expect(problems).toEqual(expected)
  })

  test.each([
    ['Content-Security-Policy', null],
    ['Content-Security-Policy', "default-src * 'unsafe-inline'"],
    ['Content-Security-Policy', "script-src * 'unsafe-inline'; upgrade-insecure-requests"],
    ['X-Content-Type-Options', null],
    ['Referrer-Policy', 'unsafe-url'],
    ['X-Frame-Options', null],
    ['Cross-Origin-Opener-Policy', 'unsafe-none'],
    ['Permissions-Policy', 'camera=*'],
    ['Content-Type', 'text/html; charset=iso-2022-jp'],
    ['Refresh', '0;url=https://evil.example/'],
  ])('reports the header %s with the value %j', async (name, value) => {
    const problems = await problemsOf('/', ({ headers }) => {
      const changed = new Headers(headers)
      if (value === null) changed.delete(name)
      else changed.set(name, value)
      return { headers: changed }
    })
    expect(problems).toContain(name === 'Refresh' ? '/ redirects to another page' : `/: ${name} differs`)
  })

  test('reports a second policy and a page that is not found', async () => {
    const twice = await problemsOf('/', ({ headers }) => {
      const changed = new Headers(headers)
      changed.append('Content-Security-Policy', "default-src 'self'")
      return { headers: changed }
    })
    expect(twice).toEqual(['/: Content-Security-Policy differs'])
    expect(await problemsOf('/nowhere', () => ({}))).toEqual(['/nowhere has status 404'])
  })

  test('an https address needs the policy with upgrade-insecure-requests', async () => {
    const page = await fetchPage(`${server.url}/`, '/')
    const { problems } = comparePage({ ...page, body: Buffer.from(page.html) }, 'https://localhost/', released)
    expect(problems).toContain('/: Content-Security-Policy differs')
  })
})

describe('verify-web', () => {
  test('accepts a genuine server with branding, legal texts and a base path', async () => {
    const files = {
      MAYFLY_WEB_LOGO_FILE: join(folder, 'logo.svg'),
      MAYFLY_WEB_PRIVACY_FILE: join(folder, 'privacy.md'),
    }
    const publicUrl = 'https://secrets.example.org/some/base'
    const branded = await startLocalServer({ env: { ...WEB, ...BRANDING, ...files, MAYFLY_PUBLIC_URL: publicUrl } })
    const { code, stderr } = await run(['verify-web', `http://127.0.0.1:${branded.port}/some/base`])
    await branded.stop()
    expect(stderr).toMatch(/^mayfly: \d+ files match this version\n$/)
    expect(code).toBe(0)
  })

  test('exits with 9 and names each change of a proxy, also of single kinds of pages on their second visit', async () => {
    const proxy = await startEvilProxy()
    const { code, stderr } = await run(['verify-web', proxy.url])
    proxy.server.close()
    expect(code).toBe(9)
    expect(stderr).toMatch(/^mayfly: error: \/ differs in line \d+: .*onerror/m)
    expect(stderr).toContain('mayfly: error: /lite: Content-Security-Policy differs\n')
    expect(stderr).toContain('mayfly: error: theme.js differs\n')
    expect(stderr).toContain('mayfly: error: theme.js: Content-Security-Policy differs\n')
    expect(stderr).not.toContain('/ has status')
    const reported = stderr.split('\n').filter((line) => / differs in line /.test(line) && !line.includes('onerror'))
    const scripts = reported.map((line) => /evil-\d/.exec(line)?.[0])
    expect(new Set(scripts)).toEqual(new Set(KINDS.map((_, kind) => `evil-${kind}`)))
  })
})

const ID = '[A-Za-z0-9_-]{22}'
/** Kinds of pages to which the proxy adds a script, for browsers and on the second visit only. */
const KINDS = [
  new RegExp(`^/request/${ID}$`),
  new RegExp(`^/collect/${ID}$`),
  new RegExp(`^/secret/${ID}$`),
  /^\/signin$/,
  new RegExp(`^/lite/${ID}$`),
]

/** Removes the policy from every response, and changes `/`, `/theme.js` and pages of each kind. */
function startEvilProxy() {
  const visits = new Map<string, number>()
  return startProxy((path, headers, body, asked) => {
    headers.delete('content-security-policy')
    if (path === '/') return inBody('<img src=x onerror=alert(1)>')({ headers, html: body }).html
    if (path === '/theme.js') return `${body} `
    const isBrowser = /^Mozilla\//.test(asked['user-agent'] ?? '') && asked['sec-fetch-mode'] === 'navigate'
    const visit = (visits.get(path) ?? 0) + 1
    visits.set(path, visit)
    const kind = KINDS.findIndex((pattern) => pattern.test(path))
    if (!isBrowser || visit !== 2 || kind === -1) return body
    return inHead(`<script src="/evil-${kind}.js"></script>`)({ headers, html: body }).html
  })
}

describe('planPageVisits', () => {
  test('visits every route, with parameters of real links, in another order each time', () => {
    const plan = planPageVisits(released.routes)
    const isPage = createRouteMatcher(released.routes)
    expect(plan.filter((path) => !isPage(path) || path.includes(':'))).toEqual([])
    for (const route of released.routes) expect(plan.some(createRouteMatcher([route])), route).toBe(true)
    for (const path of plan) expect(plan.filter((other) => other === path).length).toBeGreaterThan(1)
    expect(planPageVisits(released.routes)).not.toEqual(plan)
  })
})

describe('createPacedFetch', () => {
  /** Answers 429 `times` times to each request, then 200. */
  async function startLimited(times: number, retryAfter: string) {
    let requests = 0
    const limited = createServer((_, response) => {
      requests += 1
      if (requests <= times) response.writeHead(429, { 'retry-after': retryAfter }).end('{}')
      else response.end('ä')
    })
    return { server: limited, url: await listenLocally(limited) }
  }

  async function fetchFrom({ server: limited, url }: { server: Server; url: string }, count: number) {
    const waits: number[] = []
    const pauses: number[] = []
    const pause = async (ms: number) => void pauses.push(ms)
    const get = createPacedFetch(url, {
      send: createNodeFetch({ tls: null, proxy: null }),
      timeoutMs: 10_000,
      onWait: (seconds) => waits.push(seconds),
      pause,
    })
    const statuses: number[] = []
    try {
      for (let index = 0; index < count; index++) statuses.push((await get('.')).status)
    } finally {
      limited.close()
    }
    return { waits, pauses, statuses }
  }

  test('waits for Retry-After and continues at less than 600 requests per minute', async () => {
    const { waits, pauses, statuses } = await fetchFrom(await startLimited(2, '7'), 3)
    expect(statuses).toEqual([200, 200, 200])
    expect(waits).toEqual([7, 7])
    expect(pauses.filter((ms) => ms === 7000)).toHaveLength(2)
    const intervals = pauses.filter((ms) => ms !== 7000)
    expect(intervals).toHaveLength(4)
    expect(Math.min(...intervals)).toBeGreaterThan(100)
  })

  test('does not pause without a rate limit', async () => {
    expect(await fetchFrom(await startLimited(0, '7'), 3)).toMatchObject({ pauses: [], statuses: [200, 200, 200] })
  })

  test.each([
    ['always answers 429', '1'],
    ['asks for a day', '86400'],
  ])('throws limit when the server %s', async (_, retryAfter) => {
    await expect(fetchFrom(await startLimited(Number.POSITIVE_INFINITY, retryAfter), 1)).rejects.toMatchObject({
      outcome: 'limit',
    })
  })
})

async function listenLocally(listener: Server): Promise<string> {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
}

/** Decompression would take longer than everything else. */
const UPSTREAM_HEADERS = { 'accept-language': 'en', 'accept-encoding': 'identity' }

/** Forwards to the server. `change` may change headers and returns the body. */
async function startProxy(
  change: (path: string, headers: Headers, body: string, asked: IncomingHttpHeaders) => string,
) {
  const proxy = createServer(async (request, response) => {
    const path = request.url ?? '/'
    const upstream = await fetch(`${server.url}${path}`, { headers: UPSTREAM_HEADERS })
    const headers = new Headers(upstream.headers)
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name)
    const body = change(path, headers, await upstream.text(), request.headers)
    response.writeHead(upstream.status, Object.fromEntries(headers)).end(body)
  })
  return { server: proxy, url: await listenLocally(proxy) }
}
