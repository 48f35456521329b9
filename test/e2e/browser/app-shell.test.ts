/** The app shell: settings, translations, navigation, the public list and error pages. */

import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }
import { type BrowserFixture, INSECURE_HOST, startBrowserFixture } from '#test/browser/browser-fixture'
import { waitForComposer } from '#test/browser/page-actions'
import { createPublicSecret, createSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'

/** Moves the page's clock, which the test controls, until the element appears. */
const passTime = (page: Page, element: Locator) =>
  expect
    .poll(async () => {
      await page.clock.fastForward(1000)
      return element.count()
    })
    .toBe(1)
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

describe('the app shell', needs('chromium'), () => {
  let fixture: BrowserFixture
  /** For tests that control the clock. */
  let clocked: Page
  beforeAll(async () => {
    fixture = await startBrowserFixture({ env: { MAYFLY_ALLOWED_HOSTS: INSECURE_HOST } })
    clocked = await fixture.newVisitor()
    await clocked.clock.install()
  })
  afterAll(() => fixture.close())
  afterEach(async () => {
    await clocked.unrouteAll({ behavior: 'ignoreErrors' })
    expect(fixture.takeErrors()).toEqual([])
  })

  test('slow settings show "Loading...", and failed settings leave a message and a usable page', async () => {
    const page = clocked
    let isUp = false
    await page.route('**/api/v1/settings', (route) => (isUp ? route.continue() : route.abort()))
    await page.goto('/')
    await page.clock.fastForward(300)
    await page.getByText('Loading...', { exact: true }).waitFor()
    await passTime(page, page.getByText('Failed to load application settings'))
    await page.getByLabel('Your secret').fill('typed without settings')
    isUp = true
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(`Mayfly ${manifest.version}`).waitFor()
    await expect.poll(() => page.getByLabel('Your secret').inputValue()).toBe('typed without settings')
  })

  test('the skip link keeps the key in the URL, and loading the settings again keeps a revealed secret on the screen', async () => {
    const secret = await createSecret(fixture)
    const page = await fixture.newVisitor()
    await page.route('**/api/v1/settings', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(secret.link)
    await page.locator('button[type=submit]:focus').waitFor()
    await page.locator('.skip').focus()
    await page.keyboard.press('Enter')
    await page.locator('main:focus').waitFor()
    expect(page.url()).toBe(secret.link)
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await page.locator('.secret').waitFor()
    let response: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      response = resolve
    })
    await page.unroute('**/api/v1/settings')
    await page.route('**/api/v1/settings', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Loading...' }).waitFor()
    await expect.poll(() => page.locator('.secret').count()).toBe(1)
    response()
    await page.getByText(`Mayfly ${manifest.version}`).waitFor()
    await expect.poll(() => page.locator('.secret').count()).toBe(1)
  })

  test.each(['common', 'compose'])(
    'the page shows an error and no keys when the translation file "%s" cannot be loaded',
    async (name) => {
      const page = clocked
      await page.route(`**/locales/en/${name}.json`, (route) => route.abort())
      await page.goto('/')
      await passTime(page, page.getByRole('heading', { name: 'Unexpected Application Error', exact: true }))
      await expect.poll(() => page.locator('body').textContent()).not.toMatch(/\b(heading|frame|shell|error)\.[a-z]/)
      fixture.takeErrors()
      await page.unroute(`**/locales/en/${name}.json`)
      await page.getByRole('button', { name: 'Reload' }).click()
      await heading(page, 'Share a secret')
    },
  )

  /** As a browser with this preference. The server chooses the language. */
  const prefer = (page: Page, language: string) =>
    page.route(`${fixture.url}/`, (route) =>
      route.continue({ headers: { ...route.request().headers(), 'accept-language': language } }),
    )

  test('the language is the first preference of the browser that the app supports', async () => {
    const page = await fixture.newVisitor()
    await prefer(page, 'xx,ar-EG,en')
    await page.goto('/')
    await heading(page, 'مشاركة سر')
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    expect(await page.locator('html').getAttribute('lang')).toBe('ar')
  })

  test('a regional language loads only its own translation files', async () => {
    const page = await fixture.newVisitor()
    await prefer(page, 'pt-BR')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/')
    await page.getByRole('button', { name: 'Criar link' }).waitFor()
    const words = asked.filter((path) => path.startsWith('/locales/')).sort()
    expect(words).toEqual(['/locales/pt-BR/common.json', '/locales/pt-BR/compose.json'])
  })

  test('an unknown path responds with status 404 and a page', async () => {
    const page = await fixture.newVisitor()
    const response = await page.goto('/no/such/page')
    expect(response?.status()).toBe(404)
    await heading(page, "This page doesn't exist")
    await page.getByText('404 Not Found').waitFor()
    await expect.poll(() => page.title()).toBe('404 Not Found · Mayfly')
    expect(fixture.takeErrors()).toEqual([expect.stringContaining('404')])
    await page.getByRole('link', { name: 'Share a secret' }).click()
    await heading(page, 'Share a secret')
  })

  test('an unexpected error is shown with its code and request ID', async () => {
    const page = await fixture.newVisitor()
    const failure = {
      statusCode: 500,
      error: 'Internal Server Error',
      code: 'server.error',
      message: 'x',
      requestId: 'abc123',
    }
    await page.route('**/secret/public/**', (route) => route.fulfill({ status: 500, json: failure }))
    await page.goto('/public')
    await heading(page, 'Unexpected Application Error')
    await page.getByText('Technical details').click()
    await page.getByText('500 Internal Server Error · server.error · abc123').waitFor()
    await page.unroute('**/secret/public/**')
    await page.getByRole('button', { name: 'Reload' }).click()
    await heading(page, 'Public secrets')
    // React reports what an error screen caught.
    expect(fixture.takeErrors().filter((problem) => !problem.includes('ApiError'))).toEqual([])
  })

  test('the server sends the heading of a secret, so that it is painted before any script runs', async () => {
    const html = await (await fetch(`${fixture.url}/secret/abc`)).text()
    expect(html).toContain('<h1>Someone sent you a secret</h1>')
    for (const chunk of ['features-reveal', 'crypto-worker']) {
      expect(html).toMatch(new RegExp(`rel="modulepreload"[^>]*${chunk}-`))
    }
  })

  test('the public list shows its empty state, entries and pages, and Back restores its scroll position', async () => {
    const page = await fixture.newVisitor()
    await page.goto('/public/alice')
    await page.getByText('alice has no public secrets.').waitFor()
    await page.getByRole('link', { name: 'Public list' }).click()
    await page.getByText('There are no public secrets right now.').waitFor()
    await Promise.all(Array.from({ length: 53 }, (_, index) => createPublicSecret(fixture, `Number ${index} é`)))
    await page.setViewportSize({ width: 800, height: 400 })
    await page.reload()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('link', { name: 'Previous' }).waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(3)
    await page.getByRole('link', { name: 'Previous' }).click()
    await page.getByRole('link', { name: 'Next' }).waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(50)

    const row = page.locator('tbody a').nth(30)
    await row.scrollIntoViewIfNeeded()
    const left = await page.evaluate<number>('scrollY')
    expect(left).toBeGreaterThan(100)
    await row.click()
    await page.getByRole('button', { name: 'Reveal secret' }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.goBack()
    await expect.poll(() => page.evaluate('scrollY')).toBe(left)
  })

  test('the menu on a phone closes with Escape, and after a click on a link or beside it', async () => {
    const page = await fixture.newVisitor()
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    const link = page.getByRole('link', { name: 'Public list' })
    await page.getByRole('button', { name: 'Open menu' }).click()
    await link.waitFor()
    await page.keyboard.press('Escape')
    await link.waitFor({ state: 'hidden' })
    await page.locator('.menu-button:focus').waitFor()
    await page.keyboard.press('Enter')
    await link.click()
    await heading(page, 'Public secrets')
    await link.waitFor({ state: 'hidden' })
    await page.locator('h1:focus').waitFor()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await link.waitFor()
    await page.mouse.click(180, 700)
    await link.waitFor({ state: 'hidden' })
  })

  test('hover and focus on a link load the code of its page but not its data', async () => {
    const page = await fixture.newVisitor()
    const before = fixture.requests.length
    await page.goto('/')
    await waitForComposer(page)
    const asked = (part: string) => fixture.requests.slice(before).filter((each) => each.url().includes(part))
    const link = page.getByRole('link', { name: 'Public list' })
    expect([...asked('/assets/public-'), ...asked('/assets/features-auth-')]).toEqual([])
    await link.hover()
    await expect.poll(() => asked('/assets/public-').length).toBe(1)
    expect(asked('/assets/features-auth-')).toEqual([])
    await page.getByRole('link', { name: 'Sign in' }).first().focus()
    await expect.poll(() => asked('/assets/features-auth-').length).toBe(1)
    expect(asked('/api/v1/secret/public')).toEqual([])
    await link.click()
    await heading(page, 'Public secrets')
    expect(asked('/assets/public-')).toHaveLength(1)
  })

  test('plain HTTP shows a warning, and secrets still work', async () => {
    const address = fixture.url.replace('localhost', INSECURE_HOST)
    const page = await fixture.newVisitor({ baseURL: address })
    await page.goto('/')
    await page.getByText("This connection isn't secure.").waitFor()
    await page.getByLabel('Your secret').fill('over plain http é')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('Link copied.').waitFor()
    const link = (await page.locator('.link-box').first().textContent()) as string
    await page.goto(link.replace('localhost', INSECURE_HOST))
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await expect.poll(() => page.locator('.secret').textContent()).toBe('over plain http é')
    fixture.takeErrors()
  })

  test('without JavaScript the page shows an explanation and the CLI command', async () => {
    const page = await fixture.newVisitor({ javaScriptEnabled: false })
    await page.goto('/')
    await heading(page, 'This page needs JavaScript')
    await expect.poll(() => page.locator('code').textContent()).toBe('mayfly secret create < file')
    await page.locator('#early-text').waitFor({ state: 'hidden' })
    await page.goto('/secret/abc')
    await expect.poll(() => page.locator('code').textContent()).toBe('mayfly secret read')
    // The data was preloaded before the scripts ran.
    expect(fixture.takeErrors().filter((problem) => !problem.includes('preload'))).toEqual([])
  })

  // Last, because a page that was offline is not used again.
  test('without a connection, navigation says so, and Back leads to the draft', async () => {
    const page = await fixture.newVisitor()
    await page.goto('/')
    await waitForComposer(page)
    await page.getByLabel('Your secret').fill('kept é')
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Public list' }).click()
    await heading(page, "You're offline")
    await page.goBack()
    await expect.poll(() => page.getByLabel('Your secret').inputValue()).toBe('kept é')
    await page.goForward()
    await heading(page, "You're offline")
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Reload' }).click()
    await heading(page, 'Public secrets')
    fixture.takeErrors()
  })
})
