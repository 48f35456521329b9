/** A dialog makes the browser compute the style of every element of the page. What a click on a long list takes depends on their number. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { respondWith, waitForDialog } from '#test/browser/page-actions'
import { needs } from '#test/needs'

const ROWS = 50
const HOUR = 3_600_000

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

const elementsOf = (page: Page, selector: string) => page.locator(`${selector} *`).count()

describe('long lists', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())

  async function openUsers(): Promise<Page> {
    const page = await fixture.newVisitor()
    await signInAsAdmin(page, fixture)
    await respondWith(page, '**/api/v1/admin/users?*', { users: USERS, total: ROWS })
    await page.goto(`/account/users?take=${ROWS}`)
    await page
      .locator('tbody tr')
      .nth(ROWS - 1)
      .waitFor()
    return page
  }

  test('the row of a user has 21 elements', async () => {
    expect(await elementsOf(await openUsers(), 'tbody')).toBeLessThanOrEqual(21 * ROWS)
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

  test('the style of the page is computed once when a dialog closes', async () => {
    const page = await openUsers()
    await page.locator('tbody button').first().click()
    await waitForDialog(page)
    const elements = await elementsOf(page, 'body')
    const browser = page.context().browser() as Browser
    await browser.startTracing(page, { categories: ['devtools.timeline'] })
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
    const styled = countStyled(String(await browser.stopTracing()))
    // The trace has it.
    expect(styled).toBeGreaterThan(ROWS)
    expect(styled).toBeLessThan(elements)
  })
})

interface Trace {
  traceEvents: { name: string; args: { elementCount?: number } }[]
}

/** How many styles of elements the browser computed, with repetitions. */
function countStyled(trace: string): number {
  const { traceEvents }: Trace = JSON.parse(trace)
  return traceEvents.reduce((sum, { args }) => sum + (args.elementCount ?? 0), 0)
}
