/**
 * Opened secrets in tabs that are duplicated, restored, taken from the cache of the browser, offline, or without
 * storage.
 */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { createTestRequest, openRequestPage, submitText } from '#test/browser/requests'
import { EMPTY_PAGE } from '#test/browser/reusable-page'
import { createSecret, viewsLeft } from '#test/browser/secrets'
import { needs } from '#test/needs'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'
import { findChromium } from '#test/tools'

const TEXT = 'the text, é ☃\nsecond line'

/** As with blocked cookies: each access throws. */
const BLOCK_STORAGE = `
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } })`

/** As with a full disk: the storage is there, and every write throws. */
const FILL_STORAGE = `
  Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }
  IDBFactory.prototype.open = () => { throw new DOMException('full', 'QuotaExceededError') }`

const PATHS = ['secret', 'lite'] as const

describe('an opened secret', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ settings: [REQUESTS_FOR_ANYONE] })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors().filter((error) => !error.includes('ERR_'))).toEqual([]))

  const newReader = () => fixture.newVisitor({ permissions: ['clipboard-read', 'clipboard-write'] })
  const secretFor = async (path: (typeof PATHS)[number], password = '') => {
    const { id, link } = await createSecret(fixture, { text: TEXT, ...(password && { password }) })
    return { id, link: link.replace('/secret/', `/${path}/`) }
  }
  const reveal = (page: Page) => page.locator('main form button[type=submit]').click()
  const copy = (page: Page) => page.getByRole('button', { name: 'Copy', exact: true }).click()
  const isDeleted = (secret: { id: string; link: string }) => expect.poll(() => viewsLeft(fixture, secret)).toBeNull()

  async function expectText(page: Page): Promise<void> {
    const text = page.locator('.secret')
    await text.waitFor()
    expect(
      await text.evaluate((element: { value?: string; textContent: string }) => element.value ?? element.textContent),
    ).toBe(TEXT)
  }

  const readTab = (page: Page) =>
    page.evaluate<{ storage: Record<string, string>; state: unknown; href: string }>(
      '({ storage: { ...sessionStorage }, state: history.state, href: location.href })',
    )

  /** A tab with the session storage and the history entry of another, as browsers make it. */
  async function copyTab(context: BrowserContext, { storage, state, href }: Awaited<ReturnType<typeof readTab>>) {
    const page = await context.newPage()
    await page.route('**/blank', (route) => route.fulfill(EMPTY_PAGE))
    await page.goto('/blank')
    await page.evaluate(`{
      Object.assign(sessionStorage, ${JSON.stringify(storage)})
      history.replaceState(${JSON.stringify(state)}, '', ${JSON.stringify(href)})
    }`)
    await page.reload()
    return page
  }

  test.each(PATHS)('/%s: a duplicated tab repeats the view until it is acknowledged', async (path) => {
    const secret = await secretFor(path)
    const page = await newReader()
    await page.goto(secret.link)
    await reveal(page)
    await expectText(page)
    const tab = await readTab(page)
    const duplicate = await copyTab(page.context(), tab)
    await reveal(duplicate)
    await expectText(duplicate)
    await copy(duplicate)
    await isDeleted(secret)
    await expectText(page)
    const late = await copyTab(page.context(), tab)
    const form = late.locator('main form button[type=submit]:visible')
    await form.or(late.locator('h1:has-text("longer")')).first().waitFor()
    if (await form.isVisible()) await reveal(late)
    await expect.poll(() => late.locator('main').textContent()).toMatch(/no longer available|doesn't open|opened/i)
    expect(await late.locator('.secret').isVisible()).toBe(false)
  })

  test.each(PATHS)('REL-28: /%s: a tab that crashed and is restored repeats the view', async (path) => {
    const { link } = await secretFor(path)
    const page = await newReader()
    await page.goto(link)
    await reveal(page)
    await expectText(page)
    const tab = await readTab(page)
    const context = page.context()
    const crashed = page.waitForEvent('crash')
    void page.goto('chrome://crash').catch(() => {})
    await crashed
    const restored = await copyTab(context, tab)
    await reveal(restored)
    await expectText(restored)
  })

  test.each(PATHS)('/%s: of two tabs with the link, one opens it', async (path) => {
    const { link } = await secretFor(path)
    const first = await newReader()
    const second = await first.context().newPage()
    for (const page of [first, second]) {
      await page.goto(link)
      await page.locator('main form button[type=submit]:visible').waitFor()
    }
    await Promise.all([first, second].map(reveal))
    const outcomeOf = async (page: Page) => {
      await page.locator('.secret:visible, #problem:visible, h1:has-text("longer")').first().waitFor()
      return page.locator('.secret').isVisible()
    }
    expect((await Promise.all([first, second].map(outcomeOf))).sort()).toEqual([false, true])
  })

  test.each(PATHS)('/%s: without storage it opens, and is acknowledged at once', async (path) => {
    for (const script of [BLOCK_STORAGE, FILL_STORAGE]) {
      const secret = await secretFor(path)
      const page = await newReader()
      await page.addInitScript(script)
      await page.goto(secret.link)
      await reveal(page)
      await expectText(page)
      await isDeleted(secret)
    }
  })

  test('without storage, secrets are created and submissions are opened', async () => {
    const page = await newReader()
    await page.addInitScript(BLOCK_STORAGE)
    for (const path of ['/', '/lite']) {
      await page.goto(path)
      await page.locator('textarea').first().fill(TEXT)
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.getByText('Your link is ready').waitFor()
    }
    const request = await createTestRequest(fixture)
    await submitText(fixture, request, TEXT)
    await openRequestPage(page, request.collectLink)
    await page.getByRole('button', { name: 'Open submission 1' }).click()
    await expectText(page)
  })

  test.each(PATHS)(
    'REL-28: /%s: it is decrypted and copied although the connection ended with the response',
    async (path) => {
      const { id, link } = await secretFor(path)
      const page = await newReader()
      await page.goto(link)
      await page.route(`**/api/v1/secret/${id}`, async (route) => {
        const response = await route.fetch()
        const body = await response.body()
        await page.context().setOffline(true)
        await route.fulfill({ response, body })
      })
      await reveal(page)
      await expectText(page)
      await copy(page)
      await expectText(page)
      // The acknowledgement did not arrive, so that a reload opens it again.
      await page.unrouteAll()
      await page.context().setOffline(false)
      await page.reload()
      await reveal(page)
      await expectText(page)
    },
  )

  test.each(PATHS)('REL-28: /%s: a wrong password after a lost response does not lose it', async (path) => {
    const { id, link } = await secretFor(path, 'right ☃')
    const page = await newReader()
    await page.addInitScript(`{
      const later = window.setTimeout
      window.setTimeout = (act, ms = 0, ...args) => later(act, ms >= 500 && ms <= 4000 ? 0 : ms, ...args)
    }`)
    await page.goto(link)
    await page.route(`**/api/v1/secret/${id}`, async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    const enter = async (password: string) => {
      await page.locator('input[type=password]').fill(password)
      await reveal(page)
    }
    await enter('right ☃')
    await page.getByText("It's not known whether the secret was opened.").waitFor()
    await page.unrouteAll()
    await enter('wrong ☃')
    await page.getByText(/wrong password|password is wrong/i).waitFor({ timeout: 15_000 })
    expect(await page.getByText("wasn't opened").count()).toBe(0)
    await page.reload()
    await enter('wrong again ☃')
    await page.getByText(/wrong password|password is wrong/i).waitFor({ timeout: 15_000 })
    await enter('right ☃')
    await expectText(page)
  })

  test.each(PATHS)('/%s: leaving asks while the page has the only copy, and not after it was copied', async (path) => {
    const secret = await secretFor(path)
    const page = await newReader()
    await page.goto(secret.link)
    const asked: string[] = []
    page.on('dialog', (dialog) => void asked.push(dialog.type()))
    const reload = async () => {
      await page.reload()
      return asked.splice(0)
    }
    expect(await reload()).toEqual([])
    await reveal(page)
    await expectText(page)
    if (path === 'secret') {
      await page.getByRole('link', { name: 'Share a secret' }).click()
      await page.getByRole('heading', { name: 'Leave this page?' }).waitFor()
      await page.getByRole('button', { name: 'Stay' }).click()
    }
    expect(await reload()).toEqual(['beforeunload'])
    await reveal(page)
    await expectText(page)
    const acknowledged = page.waitForResponse(/\/ack$/)
    await copy(page)
    await isDeleted(secret)
    await acknowledged
    await page.evaluate('new Promise(requestAnimationFrame)')
    expect(await reload()).toEqual([])
  })

  describe('with the back-forward cache of the browser', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath: findChromium() as string,
        args: ['--no-sandbox', '--disable-gpu'],
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      })
    })
    afterAll(() => browser.close())

    test.each(PATHS)('/%s: Back and Forward show it, or open it again', async (path) => {
      const { id, link } = await secretFor(path)
      const page = await browser.newPage({ baseURL: fixture.url })
      page.on('dialog', (dialog) => void dialog.accept())
      await page.goto(link)
      await reveal(page)
      await expectText(page)
      const claim = JSON.stringify((await readTab(page)).storage)
      await page.evaluate("location.href = '/api-docs'")
      await expect.poll(() => page.url()).toContain('/api-docs')
      await page.evaluate('void history.back()')
      await expect.poll(() => page.url()).toContain(id)
      await page.locator('h1').first().waitFor()
      if (!(await page.locator('.secret').isVisible())) await reveal(page)
      await expectText(page)
      expect(JSON.stringify((await readTab(page)).storage)).toBe(claim)
    })
  })
})
