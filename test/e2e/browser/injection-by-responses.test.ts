/** Every field of a response and of the configuration is shown as text on every page. */

import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signInAsAdmin } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { PAYLOADS } from '#test/browser/injection-payloads'
import { alterResponse, clickLink, failWith, respondWith, withSettings } from '#test/browser/page-actions'
import { needs } from '#test/needs'

/** Characters that are removed from names because they reorder the text around them. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const ALL = PAYLOADS.join(' ')
const LATER = Date.now() + 86_400_000

/** Characters that the client removes from a response. The OpenAPI document and translations are shown as they are. */
const UNSAFE = /(?![\n\t])\p{Cc}|[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const ALL_RECEIVED = ALL.replace(UNSAFE, '')
const received = PAYLOADS.map((payload) => payload.replace(UNSAFE, ''))
const named = PAYLOADS.map((payload) => payload.replace(CONTROLS, ''))
const each = <T>(of: (payload: string, index: number) => T): T[] => PAYLOADS.map(of)

/** Elements that appear only if injected text is parsed as HTML: no screen uses them. */
const FOREIGN =
  'script, style, link, meta, base, iframe, object, embed, img, video, audio, math, template, form[action]'

async function expectNoForeignElements(page: Page): Promise<void> {
  await expect.poll(() => page.locator(`#root :is(${FOREIGN})`).count()).toBe(0)
  const schemes = await page.locator('a').evaluateAll((all: { protocol: string }[]) => all.map((a) => a.protocol))
  expect([...new Set(schemes)].filter((scheme) => !['http:', 'https:', 'mailto:'].includes(scheme))).toEqual([])
}

const texts = (page: Page, selector: string) => page.locator(selector).allTextContents()

describe('injection by responses', needs('chromium'), () => {
  let fixture: BrowserFixture
  let page: Page
  beforeAll(async () => {
    const terms = join(tmpdir(), `mayfly-terms-${process.pid}.md`)
    const lines = PAYLOADS.flatMap((payload) => [`# ${payload}\n`, `- ${payload}`, `- [x](${payload})\n`])
    await writeFile(terms, lines.join('\n'))
    fixture = await startBrowserFixture({ env: { MAYFLY_WEB_TERMS_FILE: terms } })
    page = await fixture.newVisitor()
    await signInAsAdmin(page, fixture)
  })
  afterAll(() => fixture.close())
  afterEach(async () => {
    await expectNoForeignElements(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(fixture.takeErrors().filter((problem) => !/ApiError/.test(problem))).toEqual([])
  })

  test('user names and e-mail addresses are shown as text in the list and the dialogs', async () => {
    const list = each((payload) => ({
      username: payload,
      email: payload,
      role: 'user',
      generated: true,
      createdAt: 0,
      secrets: 2,
      hasPassword: true,
      emailVerified: null,
      suspendedAt: null,
      signedInAt: null,
      passkeys: 0,
      authenticator: false,
      graceEndsAt: null,
      groups: [payload],
    }))
    await respondWith(page, '**/api/v1/admin/users?*', { users: list, total: list.length })
    await page.goto('/account/users')
    await page.locator('tbody tr').first().waitFor()
    await expect.poll(() => texts(page, 'tbody bdi')).toEqual(received.flatMap((payload) => [payload, payload]))
    // Another dialog for each row.
    for (const [row, payload] of received.slice(0, 3).entries()) {
      await page.locator('tbody tr').nth(row).locator('button').nth(row).click()
      await expect.poll(() => page.locator('dialog[open] h2').first().textContent()).toContain(payload)
      await expect.poll(() => page.locator('dialog[open] h2 *').count()).toBe(0)
      await page.keyboard.press('Escape')
      await expect.poll(() => page.locator('dialog').count()).toBe(0)
    }
  })

  test('name and e-mail address of the account are shown as text', async () => {
    await alterResponse(page, '**/api/v1/account', ({ user }) => ({ user: { ...user, username: ALL, email: ALL } }))
    await page.goto('/account')
    await page.locator('.facts').waitFor()
    await expect.poll(() => page.locator('h1').textContent()).toBe(`Hi, ${ALL_RECEIVED}`)
    await expect.poll(() => texts(page, '.facts bdi')).toEqual([ALL_RECEIVED])
  })

  test('names of tokens, sessions and sign-in providers and allowed IPs are shown as text', async () => {
    const connect = '.actions > .button > bdi'
    const tokens = each((name, index) => ({
      id: `t${index}`,
      name,
      scopes: ['account'],
      createdAt: 0,
      usedAt: null,
      expiresAt: LATER,
      secretsLeft: null,
      bytesLeft: null,
      allowedIp: name,
    }))
    const sessions = each((client, index) => ({
      id: `s${index}`,
      client,
      createdAt: 0,
      seenAt: 0,
      expiresAt: LATER,
      current: index === 0,
    }))
    const providers = each((label) => ({ id: label, label, kind: 'redirect' }))
    const identities = each((label) => ({ provider: `was ${label}`, label }))
    await respondWith(page, '**/api/v1/account/tokens', tokens)
    await respondWith(page, '**/api/v1/account/sessions', sessions)
    await respondWith(page, '**/api/v1/account/identities', identities)
    await withSettings(page, { providers })
    await page.goto('/account/security')
    await page.locator('tbody tr').first().waitFor()
    await expect.poll(() => texts(page, 'tbody th bdi')).toEqual(named)
    const addresses = await texts(page, 'tbody td li:last-child')
    expect(addresses.map((text) => text.replace(/[\u2066\u2069]/g, ''))).toEqual(
      received.map((payload) => `Only from ${payload}`.replace(/[\u2066\u2069]/g, '')),
    )
    await page.locator('tbody td > button').nth(1).click()
    await expect.poll(() => page.locator('dialog[open] p').textContent()).toContain(received[1])
    await page.keyboard.press('Escape')

    await page.locator('.sessions li').first().waitFor()
    await page.locator(connect).first().waitFor()
    await expect.poll(() => texts(page, '.sessions strong')).toEqual([...received, ...received])
    await page.locator('.sessions li', { hasText: 'Connected' }).nth(1).getByRole('button').click()
    await expect.poll(() => page.locator('dialog[open] h2').textContent()).toContain(received[1])
    await expect.poll(() => page.locator('dialog[open] h2 *').count()).toBe(0)
    await page.keyboard.press('Escape')
    await expect.poll(() => texts(page, connect)).toEqual(received.map((payload) => `Connect ${payload}`))
  })

  test('names of sign-in providers are shown as text on the sign-in page', async () => {
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await withSettings(page, { providers: each((label) => ({ id: label, label, kind: 'redirect' })) })
    await page.goto('/signin')
    await page.locator('a.button').first().waitFor()
    await expect.poll(() => texts(page, 'a.button bdi')).toEqual(received.map((payload) => `Sign in with ${payload}`))
    const hrefs = await page.locator('a.button').evaluateAll((all: { href: string }[]) => all.map(({ href }) => href))
    expect(hrefs.filter((href) => !href.startsWith(`${fixture.url}/api/v1/authentication/`))).toEqual([])
    await page.context().addCookies(cookies)
  })

  test.each([
    ['public secrets', '/public', '**/api/v1/secret/public/**', 'tbody td bdi'],
    ['own secrets', '/account/secrets', '**/api/v1/secret?*', null],
  ])('titles and user names of %s are shown as text', async (_, path, where, names) => {
    const secrets = each((payload, index) => ({
      id: `${index}`.padStart(22, 'A'),
      title: payload,
      username: payload,
      createdAt: 0,
      expiresAt: LATER,
      kind: 'public',
      maxViews: 1,
      passwordRequired: false,
      files: 0,
      isPublic: true,
      preventBurn: false,
      views: 0,
      allowedIp: null,
      receipt: null,
      recipientViews: [],
    }))
    await page.route(where, (route) => {
      const query = new URL(route.request().url()).searchParams
      const [skip, take] = [Number(query.get('skip')), Number(query.get('take'))]
      return route.fulfill({ json: secrets.slice(skip, skip + take) })
    })
    for (const [first, last] of [
      [0, 50],
      [50, received.length],
    ] as const) {
      if (first === 0) await page.goto(path)
      else await clickLink(page, `${path}?skip=${first}`)
      await page.locator('tbody tr').first().waitFor()
      await expect.poll(() => texts(page, 'tbody th bdi')).toEqual(named.slice(first, last))
      if (names) await expect.poll(() => texts(page, names)).toEqual(named.slice(first, last))
      await expectNoForeignElements(page)
    }
  })

  test('the user name in the URL of a list is shown as text', async () => {
    const name = received.filter((payload) => !payload.includes('/')).join(' ')
    await respondWith(page, '**/api/v1/secret/public/**', [])
    await page.goto(`/public/${encodeURIComponent(name)}`)
    await page.locator('.card').waitFor()
    await expect.poll(() => page.locator('h1').textContent()).toBe(`Public secrets by ${name.replace(CONTROLS, '')}`)
    await expect.poll(() => page.locator('.card strong').textContent()).toContain(name.replace(CONTROLS, ''))
  })

  test('settings, version and IP address are shown as text', async () => {
    await alterResponse(page, '**/api/v1/admin/settings', (json) => ({ ...json, restrict_organization_email: ALL }))
    await withSettings(page, { version: ALL, address: ALL })
    await page.goto('/account/instance-settings')
    await expect.poll(() => page.locator('[name=domains]').inputValue()).toBe(ALL_RECEIVED)
    await page.getByText(`Mayfly ${received[0]}`).first().waitFor()
    await page.goto(`/secret/AAAAAAAAAAAAAAAAAAAAAA~${'A'.repeat(43)}`)
    await page.locator('.causes').waitFor()
    expect((await texts(page, '.causes li')).join()).toContain(ALL_RECEIVED)
  })

  test('the OpenAPI document is shown as text', async () => {
    const schema = { type: 'string', description: ALL, enum: PAYLOADS }
    const paths = Object.fromEntries(
      each((payload, index) => [
        // A path with other characters is refused.
        `/path-${index}`,
        {
          post: {
            operationId: `o${index}`,
            summary: payload,
            tags: [ALL],
            parameters: [{ name: `field-${index}`, in: 'query', schema }],
            requestBody: {
              content: { 'application/json': { schema: { properties: { [payload]: schema } }, example: payload } },
            },
            responses: { 200: { description: payload } },
          },
        },
      ]),
    )
    await respondWith(page, '**/api/v1/openapi.json', { servers: [{ url: ALL }], tags: [{ name: ALL }], paths })
    await page.goto('/api-docs')
    await page.locator('.calls summary').first().waitFor()
    await expect.poll(() => texts(page, '.calls summary > code')).toEqual(PAYLOADS.map((_, index) => `/path-${index}`))
    await expect.poll(() => texts(page, '.calls summary > .hint')).toEqual(received)
    for (const index of [0, 1, 2]) {
      await page.locator('.calls summary').nth(index).click()
      await page
        .locator('.calls details[open] dd')
        .getByText(PAYLOADS[index] as string)
        .first()
        .waitFor()
      await page.locator('.calls summary').nth(index).click()
    }
  })

  test('legal text is shown as text', async () => {
    await page.goto('/terms')
    await page.locator('.prose').waitFor()
    expect(await page.locator('.prose').textContent()).toContain('onload=alert(1)')
  })

  test('SEC-01: error messages, codes and request IDs are shown as text', async () => {
    // A message that repeats the reason phrase is not shown.
    const failure = { error: ALL, message: `${ALL_RECEIVED}!`, code: ALL, requestId: ALL }
    await failWith(page, '**/api/v1/account/tokens', 500, failure)
    await page.goto('/account/security')
    await page.locator('main details summary').click()
    await expect
      .poll(() => page.locator('main details code').textContent())
      .toBe(`500 ${ALL_RECEIVED} · ${ALL_RECEIVED} · ${ALL_RECEIVED}`)
    await failWith(page, '**/api/v1/admin/users?*', 500, failure)
    await page.goto('/account/users')
    await page.locator('.notice.bad').waitFor()
    await expect.poll(() => page.locator('.notice.bad p').textContent()).toBe(`${ALL_RECEIVED}!`)
  })

  test('SEC-01: translations are shown as text', async () => {
    let count = 0
    const hostile = (words: unknown): unknown =>
      typeof words === 'string'
        ? PAYLOADS[count++ % PAYLOADS.length]
        : Object.fromEntries(Object.entries(words as object).map(([key, value]) => [key, hostile(value)]))
    await page.route('**/locales/en/*.json', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: hostile(await response.json()) })
    })
    await page.goto('/nowhere')
    await page.locator('h1').waitFor()
    await expectNoForeignElements(page)
    await page.goto('/account/users')
    await page.locator('h1').waitFor()
    await expectNoForeignElements(page)
    for (const path of ['/account/account-settings', '/account/security', '/public', '/stats', '/api-docs', '/']) {
      await clickLink(page, path)
      await page.waitForURL(`**${path}`)
      await page.locator('h1').waitFor()
      await expectNoForeignElements(page)
    }
    const others = fixture.takeErrors().filter((problem) => !/status of 404/.test(problem))
    expect(others).toEqual([])
  })
})

describe('injection by the configuration', needs('chromium'), () => {
  // `plugins/web/web-plugin` proves for every payload that the document of the server contains it as text.
  test('product name, notice and links are shown as text', async () => {
    const start = received.indexOf('</title><script>alert(1)</script>')
    const payloads = [...received.slice(0, 4), ...received.slice(start, start + 8)]
    const labels = payloads.filter((payload) => payload.length <= 60 && !payload.includes(','))
    const notice = payloads.join(' ')
    const product = received[start] as string
    const fixture = await startBrowserFixture({
      env: {
        MAYFLY_WEB_PRODUCT_NAME: product,
        MAYFLY_WEB_NOTICE: notice,
        MAYFLY_WEB_FOOTER_LINKS: labels.map((label) => `${label} https://example.org/`).join(','),
      },
    })
    try {
      const page = await fixture.newVisitor()
      await page.goto('/')
      await page.locator('form textarea').waitFor()
      await expect.poll(() => page.locator('main .notice').textContent()).toBe(notice)
      await expect.poll(() => page.title()).toBe(`Share a secret · ${product}`)
      await expect.poll(() => page.locator('.logo').textContent()).toBe(product)
      await expect.poll(() => texts(page, '.site nav bdi')).toEqual(labels)
      await expectNoForeignElements(page)
      await page.goto('/lite')
      await page.locator('option').first().waitFor({ state: 'attached' })
      expect(fixture.takeErrors()).toEqual([])
    } finally {
      await fixture.close()
    }
  })
})
