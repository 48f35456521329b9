/** A dialog makes the browser compute the style of every element, so a click on a long list takes longer. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { closeDialogs, respondWith, waitForDialog } from '#test/browser/page-actions'
import { needs } from '#test/needs'

const ROWS = 50
const HOUR = 3_600_000
/** How many an account can have. */
const TOKENS_MAX = 100
/** How many styles the browser computes when a dialog of a user opens or closes. */
const STYLES_MAX = 350

const USERS = Array.from({ length: ROWS }, (_, index) => ({
  username: `member-${index}`,
  email: `ä-${index}@example.org`,
  role: 'user',
  generated: false,
  hasPassword: true,
  createdAt: 0,
  secrets: 3,
  emailVerified: 1,
  suspendedAt: null,
  passkeys: 0,
  authenticator: false,
  graceEndsAt: null,
  signedInAt: Date.now() - index * HOUR,
  groups: [],
}))

const SECRETS = Array.from({ length: ROWS }, (_, index) => ({
  id: `${index}`.padStart(22, 'A'),
  title: null,
  kind: 'sealed',
  createdAt: Date.now() - index * HOUR,
  expiresAt: Date.now() + (index + 1) * HOUR,
  maxViews: 1,
  passwordRequired: false,
  files: 0,
  isPublic: false,
  preventBurn: false,
  views: 0,
  allowedIp: null,
  recipientViews: [],
  receipt: null,
}))

const TOKENS = Array.from({ length: TOKENS_MAX }, (_, index) => ({
  id: `${index}`,
  name: `token-${index}`,
  scopes: ['secrets:create'],
  createdAt: 0,
  usedAt: null,
  expiresAt: Date.now() + (index + 1) * HOUR,
  secretsLeft: null,
  bytesLeft: null,
  allowedIp: null,
}))

/** Each rendered row formats a time. */
const COUNT_TIMES = `formatted = 0
const { toISOString } = Date.prototype
Date.prototype.toISOString = function () {
  formatted++
  return toISOString.call(this)
}`

/** React sets the type of each input that it renders again. */
const OBSERVE_INPUTS = `rendered = new Set()
new MutationObserver((records) => records.forEach(({ target }) => rendered.add(target)))
  .observe(document.body, { subtree: true, attributeFilter: ['type', 'name'] })`

/** React renders in a microtask what has to be there before the next paint. */
const OBSERVE_CLICK = `const count = () => document.querySelectorAll('dialog, main input').length
const before = count()
addEventListener('click', () => queueMicrotask(() => { opened = count() > before }))`

const elementsOf = (page: Page, selector: string) => page.locator(`${selector} *`).count()

describe('long lists', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())

  /** The longest page that an administrator can choose. */
  async function openUsers(): Promise<Page> {
    const page = await fixture.newVisitor()
    await signInAsAdmin(page, fixture)
    await page.route('**/api/v1/admin/users?*', (route) => {
      const take = Number(new URL(route.request().url()).searchParams.get('take'))
      return route.fulfill({ json: { users: USERS.slice(0, take), total: ROWS } })
    })
    await page.goto('/account/users')
    const size = Number(await page.locator('.pages option').last().getAttribute('value'))
    await page.locator('.pages select').selectOption(`${size}`)
    await page
      .locator('tbody tr')
      .nth(size - 1)
      .waitFor()
    return page
  }

  test('the row of a user has 21 elements', async () => {
    const page = await openUsers()
    expect(await elementsOf(page, 'tbody')).toBeLessThanOrEqual(21 * (await page.locator('tbody tr').count()))
  })

  test('the row of a secret has 14 elements, without a dialog', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    await respondWith(page, '**/api/v1/secret?*', SECRETS)
    await page.goto('/account/secrets')
    await page
      .locator('tbody tr')
      .nth(ROWS - 1)
      .waitFor()
    expect(await elementsOf(page, 'tbody')).toBeLessThanOrEqual(14 * ROWS)
  })

  test('the form of a new token opens without rendering the tokens again', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    await respondWith(page, '**/api/v1/account/tokens', TOKENS)
    await page.addInitScript(COUNT_TIMES)
    await page.goto('/account/security')
    await page
      .locator('tbody tr')
      .nth(TOKENS_MAX - 1)
      .waitFor()
    // Checks the counter itself.
    expect(await page.evaluate('formatted')).toBeGreaterThanOrEqual(TOKENS_MAX)
    await page.evaluate('formatted = 0')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.locator('input[name=name]').waitFor()
    expect(await page.evaluate('formatted')).toBe(0)
  })

  test('a setting of the instance is changed without rendering the other fields', async () => {
    const page = await fixture.newVisitor()
    await signInAsAdmin(page, fixture)
    await page.goto('/account/instance-settings')
    const setting = page.getByLabel('Read-only instance')
    await setting.waitFor()
    await page.evaluate(OBSERVE_INPUTS)
    await setting.click()
    await page.getByText('1 unsaved change').waitFor()
    expect(await page.evaluate('[...rendered].map(({ labels }) => labels[0].textContent)')).toEqual([
      'Read-only instance',
    ])
  })

  test.each([
    ['/account/secrets', 'Details of', 'Edit', 'Burn'],
    [
      '/account/security',
      'Change password',
      'Add a passkey',
      'Set up an authenticator app',
      'Lock out everyone',
      'New token',
    ],
    ['/account/users', 'Add user', 'Edit member-0', 'Access to member-0', 'Delete member-0'],
  ])('on %s the browser can paint between the click and the dialog or form', async (path, ...buttons) => {
    const page = await openUsers()
    await respondWith(page, '**/api/v1/secret?*', SECRETS)
    await page.goto(path)
    for (const name of buttons) {
      await closeDialogs(page)
      const button = page.getByRole('button', { name }).first()
      await button.waitFor()
      await page.evaluate(OBSERVE_CLICK)
      await button.click()
      expect(await page.evaluate('opened'), name).toBe(false)
      await page.locator('dialog[open], main input[name=name]').first().waitFor()
    }
  })

  test('the dialogs of users are loaded before a button is pressed', async () => {
    const page = await fixture.newVisitor()
    await signInAsAdmin(page, fixture)
    const loaded = page.waitForResponse(/\/user-dialogs-/)
    await page.goto('/account/users')
    expect((await loaded).ok()).toBe(true)
  })

  test('the style of the page is computed once when a dialog opens', async () => {
    const page = await openUsers()
    const styled = await countStyled(page, async () => {
      await page.locator('tbody button').first().click()
      await waitForDialog(page)
    })
    // The trace has it.
    expect(styled).toBeGreaterThan(STYLES_MAX / 2)
    expect(styled).toBeLessThanOrEqual(STYLES_MAX)
  })

  test('the style of the page is computed once when a dialog closes', async () => {
    const page = await openUsers()
    await page.locator('tbody button').first().click()
    await waitForDialog(page)
    const styled = await countStyled(page, async () => {
      await page.keyboard.press('Escape')
      await page.locator('dialog').waitFor({ state: 'detached' })
    })
    expect(styled).toBeGreaterThan(STYLES_MAX / 2)
    expect(styled).toBeLessThanOrEqual(STYLES_MAX)
  })
})

interface Trace {
  traceEvents: { name: string; args: { elementCount?: number } }[]
}

/** How many styles of elements the browser computes, with repetitions. */
async function countStyled(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser() as Browser
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await act()
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
  const { traceEvents }: Trace = JSON.parse(String(await browser.stopTracing()))
  return traceEvents.reduce((sum, { args }) => sum + (args.elementCount ?? 0), 0)
}
