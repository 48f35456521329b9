import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Plugin } from '#core'
import { PAYLOADS } from '#test/browser/injection-payloads'
import { memory } from '#test/memory-plugin'
import { type TestApp, testApp } from '#test/test-app'
import web from './index.js'

const withOptions = (options: object): Plugin =>
  ({ ...web, setup: (_, host) => web.setup(web.options.parse(options), host) }) as Plugin

async function start(options = {}, publicUrl = 'https://secrets.example.org', dataDir?: string): Promise<TestApp> {
  return testApp(memory, {
    plugins: [withOptions(options)],
    settings: { publicUrl },
    ...(dataDir && { dataDir }),
  })
}

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'none'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; media-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types app-worker; upgrade-insecure-requests"

describe('web plugin', () => {
  let app: TestApp
  const get = (path: string, headers: Record<string, string> = {}) => supertest(app.handler).get(path).set(headers)
  beforeAll(async () => {
    app = await start()
  })
  afterAll(() => app.close())

  test.each([
    ['/', 200],
    ['/secret/AAAAAAAAAAAAAAAAAAAAAA', 200],
    ['/secret/key/id', 200],
    ['/secret/key/id/', 200],
    ['/PUBLIC', 200],
    ['/public/alice', 200],
    ['/public/anna.smith', 200],
    ['/privacy', 200],
    ['/terms/', 200],
    ['/nowhere', 404],
    ['/secret', 404],
    ['/secret/a/b/c', 404],
    ['/public/alice/more', 404],
    ['/index.html', 404],
    ['/site.json', 404],
    ['/%00', 404],
    ['/%E0%A4%A', 404],
  ])('SEC-43, V3.4.1, V14.2.2: GET %s returns a page with status %i and all security headers', async (path, status) => {
    const { headers, text } = await get(path).expect(status)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CSP,
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'permissions-policy':
        'accelerometer=(), browsing-topics=(), camera=(), clipboard-read=(), clipboard-write=(self), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
      'cache-control': 'no-store',
      vary: 'Accept-Encoding, Accept-Language',
    })
    expect(headers['x-robots-tag']).toBe(path === '/' ? undefined : 'noindex, nofollow, noarchive')
    expect(text).toContain(`content="${CSP.replace("frame-ancestors 'none'; ", '').replaceAll('"', '&quot;')}"`)
    expect(text).not.toMatch(/\{\{|<script(?![^>]* src=)|<style|style=|\son\w+=/)
  })

  test('/.well-known/change-password leads to the page Security', async () => {
    const { headers } = await get('/.well-known/change-password').expect(302)
    expect(headers.location).toBe('https://secrets.example.org/account/security')
  })

  test('robots.txt allows pages, whose headers keep them out of search results, and disallows the API', async () => {
    const { text, headers } = await get('/robots.txt').expect(200)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text).toBe('User-agent: *\nAllow: /api/v1/settings\nDisallow: /api/\n')
  })

  test('security.txt does not exist without a contact', () => get('/.well-known/security.txt').expect(404))

  test('security.txt names the contact and expires in less than a year', async () => {
    const contact = 'mailto:security@example.org'
    const named = await start({ securityContact: contact })
    const { text, headers } = await supertest(named.handler).get('/.well-known/security.txt').expect(200)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const fields = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/).slice(0, 2)),
    )
    const url = 'https://secrets.example.org/.well-known/security.txt'
    expect(fields).toEqual({ Contact: contact, Expires: expect.any(String), Canonical: url })
    expect(fields.Expires).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/)
    const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(80)
    expect(days).toBeLessThan(365)
    await named.close()
  })

  test('http public URL responds without HSTS and upgrade-insecure-requests', async () => {
    const plain = await start({}, 'http://localhost:3000')
    const { headers } = await supertest(plain.handler).get('/')
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(headers['content-security-policy']).toBe(CSP.replace('; upgrade-insecure-requests', ''))
    await plain.close()
  })

  test('legal texts exist in every language', async () => {
    for (const language of ['en', 'ar']) {
      for (const name of ['privacy', 'terms']) {
        const { body, headers } = await get(`/legal/${language}/${name}.json`).expect(200)
        expect(body).toMatchObject({ title: expect.any(String), changed: expect.any(Number) })
        expect(body.content.length).toBeGreaterThan(10)
        expect(JSON.stringify(body)).toContain('Mayfly')
        expect(headers['cache-control']).toBe('no-cache')
      }
    }
    await get('/legal/xx/privacy.json').expect(404)
    await get('/legal/en/other.json').expect(404)
  })

  test('web manifest is in the preferred language, and its icons exist', async () => {
    const { body, headers } = await get('/manifest.webmanifest', { 'accept-language': 'ar' }).expect(200)
    expect(headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    expect(headers.vary).toBe('Accept-Encoding, Accept-Language')
    expect(body).toMatchObject({
      name: 'Mayfly',
      lang: 'ar',
      dir: 'rtl',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      shortcuts: [{ url: '/' }, { url: '/request' }],
      share_target: { action: '/share', method: 'POST', enctype: 'multipart/form-data' },
    })
    expect(body.description).toMatch(/\p{Script=Arabic}/u)
    for (const { src, type } of body.icons) expect((await get(src).expect(200)).headers['content-type']).toBe(type)
  })

  test('shared content is discarded without the service worker, and refused from another site', async () => {
    const post = (from: string) => supertest(app.handler).post('/share').set('Sec-Fetch-Site', from).send('text=é')
    for (const from of ['none', 'same-origin']) {
      const { status, headers } = await post(from)
      expect([status, headers.location]).toEqual([303, expect.stringMatching(/\/share$/)])
    }
    for (const from of ['cross-site', 'same-site']) expect((await post(from)).body.code).toBe('request.cross_site')
    const long = await supertest(app.handler)
      .post('/share')
      .send('x'.repeat(2 ** 20 + 1))
    expect([long.status, long.headers.connection]).toEqual([303, 'close'])
  })

  test('the service worker is served as a file that caches revalidate', async () => {
    const { headers } = await get('/share-worker.js').expect(200)
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s returns 405', async (method) => {
    const request = supertest(app.handler) as unknown as Record<string, (path: string) => supertest.Test>
    for (const path of ['/', '/secret/x', '/nowhere', '/theme.js']) {
      const response = (await request[method.toLowerCase()]?.(path)) as supertest.Response
      expect(response.status).toBe(405)
      expect(response.headers.allow).toBe('GET, HEAD')
    }
  })

  test('SEC-05: POST /locales/add returns 404', async () => {
    await supertest(app.handler).post('/locales/add/en/common').expect(404)
  })

  test('HEAD returns the headers of GET without a body', async () => {
    for (const path of ['/', '/secret/x', '/nowhere', '/theme.js']) {
      const whole = { 'accept-encoding': 'identity' }
      const [head, full] = await Promise.all([supertest(app.handler).head(path).set(whole), get(path, whole)])
      expect(head.status).toBe(full.status)
      expect(head.headers['content-length']).toBe(full.headers['content-length'])
      expect(head.text).toBeFalsy()
    }
  })

  describe('files', () => {
    let script: string
    beforeAll(async () => {
      script = /src="(\/assets\/[^"]+\.js)"/.exec((await get('/')).text)?.[1] as string
    })

    test('hashed asset is immutable', async () => {
      const { headers } = await get(script).expect(200)
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
      })
    })

    test.each([
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
      ['br;q=0, gzip', 'gzip'],
    ])('Accept-Encoding "%s" gets encoding %s', async (accepted, encoding) => {
      for (const path of [script, '/', '/locales/ar/common.json']) {
        const { headers } = await get(path, { 'accept-encoding': accepted }).buffer(false)
        expect(headers['content-encoding']).toBe(encoding)
      }
    })

    test('br is smaller than gzip, gzip is less than half of identity', async () => {
      const app = /"(\/assets\/app-[^"]+\.js)"/.exec((await get('/')).text)?.[1] as string
      const size = async (encoding: string) =>
        Number((await get(app, { 'accept-encoding': encoding }).buffer(false)).headers['content-length'])
      const [br, gzip, identity] = await Promise.all(['br', 'gzip', 'identity'].map(size))
      expect(br).toBeLessThan(gzip as number)
      expect(gzip).toBeLessThan((identity as number) / 2)
    })

    test.each(['/locales/en/common.json', '/locales/ar/compose.json', '/theme.js', '/icon.svg'])(
      '%s is revalidated by its ETag',
      async (path) => {
        const { headers } = await get(path).expect(200)
        expect(headers['cache-control']).toBe('no-cache')
        await get(path, { 'if-none-match': headers.etag as string }).expect(304)
        await get(path, { 'if-none-match': 'W/"other"' }).expect(200)
      },
    )

    test.each([
      '/locales/en/nothing.json',
      '/locales/xx/common.json',
      '/locales/../package.json',
      '/locales/..%2f..%2fpackage.json',
      '/locales/%2e%2e/%2e%2e/package.json',
      '/locales/en/..%5c..%5c..%5cpackage.json',
      '/locales/__proto__/common.json',
      '/assets/../../cli.js',
      '/assets/..%2f..%2f..%2fcli.js',
      '/assets/%2e%2e%2f%2e%2e%2f..%2fetc%2fpasswd',
      '/assets/%00.js',
      `${'/..'.repeat(12)}/etc/passwd`,
      '//etc/passwd',
      '/theme.js/',
      '/theme.js.br',
      '/index.html.br',
    ])('SEC-05, V13.4.1: GET %s returns the 404 page', async (path) => {
      const { status, headers } = await get(path)
      expect(status).toBe(404)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
    })
  })

  test('files of the version before an upgrade are served, and files of this version are kept', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-upgraded-'))
    const old = join(dataDir, 'web-assets/old')
    await mkdir(join(old, 'assets'), { recursive: true })
    await writeFile(join(old, 'files.json'), '{"assets/old-1a2b3c4d.js":[]}')
    await writeFile(join(old, 'assets/old-1a2b3c4d.js'), '/* é */')
    const upgraded = await start({}, undefined, dataDir)
    const { headers, text } = await supertest(upgraded.handler).get('/assets/old-1a2b3c4d.js').expect(200)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
    })
    expect(text).toBe('/* é */')
    await supertest(upgraded.handler).get('/assets/old-00000000.js').expect(404)
    await upgraded.close()
    expect(await readdir(join(dataDir, 'web-assets'))).toHaveLength(2)
    await rm(dataDir, { recursive: true })
  })

  describe('languages', () => {
    test('page is in the preferred language of the browser', async () => {
      const { text, headers } = await get('/', { 'accept-language': 'xx, ar-EG;q=0.9, en;q=0.8' })
      expect(text).toContain('<html lang="ar" dir="rtl">')
      expect(text).toContain('مشاركة سر')
      expect(text).toContain('/locales/ar/common.json')
      expect(headers['content-language']).toBe('ar')
    })

    test.each(['', 'xx', '*', '"><script>', 'en;q=0, xx'])('Accept-Language "%s" gets English', async (accepted) => {
      const { text } = await get('/', { 'accept-language': accepted })
      expect(text).toContain('<html lang="en" dir="ltr">')
    })

    test('forceLanguage overrides the browser, and must exist', async () => {
      const arabic = await start({ forceLanguage: 'ar' })
      const { text } = await supertest(arabic.handler).get('/').set('accept-language', 'en')
      expect(text).toContain('<html lang="ar" dir="rtl">')
      await arabic.close()
      await expect(start({ forceLanguage: 'tlh' })).rejects.toThrow(/unknown language "tlh"; use one of ar, .*en/)
    })
  })

  test('SEC-20: only secret pages have a link preview, which reveals nothing', async () => {
    const { text } = await get('/secret/x')
    expect(text).toContain('content="Someone shared a secret with you. Open the link in your browser."')
    expect((await get('/')).text).not.toContain('og:title')
  })
})

describe('branding', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-brand-'))
    await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    await writeFile(join(folder, 'terms.md'), '# House rules\n\nBe <b>kind</b> to {{product}}.\n')
    await writeFile(join(folder, 'not.svg'), 'PNG')
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('page shows name, logo, hue, links, notice and legal texts', async () => {
    const options = {
      productName: 'A "B" <c>',
      logoFile: 'logo.svg',
      hue: 'green',
      footerLinks: 'Imprint https://example.org/imprint, Help desk mailto:help@example.org',
      sourceUrl: 'https://example.org/source',
      notice: 'Down on <Sunday>',
      termsFile: 'terms.md',
    }
    const app = await start(options, undefined, folder)
    const get = (path: string) => supertest(app.handler).get(path)
    const { text } = await get('/').expect(200)
    expect(text).toContain('<title>A &quot;B&quot; &lt;c&gt;</title>')
    expect(text).toContain('<img src="/logo.svg" alt="" />')
    expect(text).toContain('Down on &lt;Sunday&gt;')
    expect(text).toContain('<link rel="stylesheet" href="/brand.css" />')
    const [, site = ''] = /<meta name="site" content="([^"]*)"/.exec(text) ?? []
    expect(JSON.parse(unescapeHtml(site))).toEqual({
      base: '',
      product: 'A "B" <c>',
      logo: '/logo.svg',
      links: [
        { label: 'Imprint', href: 'https://example.org/imprint' },
        { label: 'Help desk', href: 'mailto:help@example.org' },
      ],
      notice: 'Down on <Sunday>',
      role: 'all',
      source: 'https://example.org/source',
    })
    const logo = await get('/logo.svg').expect(200)
    expect(logo.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
    )
    const { headers, text: sheet } = await get('/brand.css').expect(200)
    expect(headers['content-type']).toBe('text/css; charset=utf-8')
    expect(sheet).toBe(':root:root{--hue:160}\n')
    await get('/brand.css')
      .set('if-none-match', headers.etag as string)
      .expect(304)
    const terms = (await get('/legal/ar/terms.json').expect(200)).body
    expect(terms).toMatchObject({ title: 'House rules', changed: expect.any(Number) })
    expect(terms.content).toEqual([{ tag: 'p', children: ['Be ', '<b>', 'kind', '</b>', ' to A "B" <c>.'] }])
    expect((await get('/manifest.webmanifest')).body).toMatchObject({
      name: 'A "B" <c>',
      icons: [{ src: '/logo.svg' }],
    })
    await app.close()
  })

  test('the document contains a product name, a notice and links as text only', async () => {
    const written = PAYLOADS.filter((payload) => !/\p{Cc}/u.test(payload))
    // As many as fit into a notice and into a list of links.
    const groups = Array.from({ length: Math.ceil(written.length / 12) }, (_, index) =>
      written.slice(index * 12, index * 12 + 12),
    )
    const load = async (options: { productName: string; notice: string; footerLinks: string }) => {
      const app = await start(options)
      const { text } = await supertest(app.handler).get('/').expect(200)
      await app.close()
      const [, site = ''] = /<meta name="site" content="([^"]*)"/.exec(text) ?? []
      return { tags: text.match(/<[^\s>]*/g), site: JSON.parse(unescapeHtml(site)) }
    }
    const toLinks = (labels: string[]) => labels.map((label) => `${label} https://example.org/`).join(',')
    const harmless = await load({ productName: 'x', notice: 'x', footerLinks: toLinks(['x']) })
    for (const payloads of groups) {
      const labels = payloads.filter((payload) => payload.length <= 60 && !payload.includes(','))
      const productName = payloads.find((payload) => payload.length <= 40) as string
      const notice = payloads.join(' ').slice(0, 500)
      const { tags, site } = await load({ productName, notice, footerLinks: toLinks(labels) })
      expect(tags).toEqual(harmless.tags)
      expect(site).toMatchObject({ product: productName, notice, links: labels.map((label) => ({ label })) })
    }
  })

  test.each([
    [{ logoFile: 'nothing.svg' }, 'logoFile'],
    [{ logoFile: 'terms.md' }, 'logoFile'],
    [{ logoFile: 'not.svg' }, 'logoFile'],
    [{ privacyFile: 'nothing.md' }, 'privacyFile'],
    [{ termsFile: '.' }, 'termsFile'],
  ])('setup with %j fails and names the option', async (options, name) => {
    await expect(start(options, undefined, folder)).rejects.toThrow(`the option "${name}"`)
  })

  test.each([
    { hue: 'red' },
    { hue: 361 },
    { hue: true },
    { productName: '' },
    { productName: 'two\nlines' },
    { footerLinks: 'Imprint javascript:alert(1)' },
    { footerLinks: 'https://example.org' },
    { footerLinks: 'Imprint //example.org' },
    { sourceUrl: 'javascript:alert(1)' },
    { sourceUrl: '/source' },
    { securityContact: 'security@example.org' },
    { securityContact: 'http://example.org' },
    { securityContact: 'mailto:a@b\nExpires: never' },
  ])('options %j are invalid', (options) => {
    expect(web.options.safeParse(options).success).toBe(false)
  })
})

describe('base path', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await start({}, 'https://example.org/secrets')
  })
  afterAll(() => app.close())

  test.each(['/secrets', ''])(
    'with prefix "%s", every URL of the page has the base path and exists',
    async (prefix) => {
      const { text } = await supertest(app.handler).get(`${prefix}/secret/x`).expect(200)
      const addresses = [...text.matchAll(/ (?:href|src)="([^"#]*)"/g)].map(([, address = '']) => address)
      expect(addresses.length).toBeGreaterThan(8)
      for (const address of addresses) {
        expect(address).toMatch(/^\/secrets\//)
        await supertest(app.handler).get(address).expect(200)
        await supertest(app.handler).get(address.replace('/secrets', '')).expect(200)
      }
    },
  )

  test('robots.txt has the base path', async () => {
    const { text } = await supertest(app.handler).get('/secrets/robots.txt').expect(200)
    expect(text).toContain('Disallow: /secrets/api/')
  })

  test('API is below the base path, and a similar path is not', async () => {
    await supertest(app.handler).get('/secrets/api/v1/settings').expect(200)
    await supertest(app.handler).get('/secrets').expect(200)
    await supertest(app.handler).get('/secretsx').expect(404)
    const made = await supertest(app.handler)
      .post('/secrets/api/v1/secret')
      .send({ text: 'x', ttl: 60, isPublic: true })
      .expect(201)
    expect(made.body.url).toBe(`https://example.org/secrets/secret/${made.body.id}`)
  })
})

test('option dev serves the sources with Vite', async () => {
  const app = await start({ dev: true })
  const page = await supertest(app.handler).get('/secret/x').expect(200)
  expect(page.text).toContain('src="/@vite/client"')
  expect(page.text).not.toContain('{{')
  expect((await supertest(app.handler).get('/app/main.tsx').expect(200)).text).toContain('createRoot')
  expect((await supertest(app.handler).get('/locales/ar/compose.json').expect(200)).body.heading).toBe('مشاركة سر')
  const worker = await supertest(app.handler).get('/crypto-worker/worker.ts?worker_file&type=module').expect(200)
  expect(worker.headers['cross-origin-embedder-policy']).toBe('require-corp')
  await app.close()
})

const unescapeHtml = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
