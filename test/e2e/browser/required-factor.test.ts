/** An instance that requires a second factor of everyone, without a grace period. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { addAuthenticatorApp } from '#test/browser/factors'
import { typeInto } from '#test/browser/keyboard'
import { needs } from '#test/needs'

describe('required second factor', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ settings: ['second_factor=everyone', 'second_factor_grace_days=0'] })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()

  test('an account without one can do nothing but add one, and needs it for the next sign-in', async () => {
    const page = await fixture.newVisitor()
    const username = await signUp(page, fixture)
    const status = async (path: string) => (await page.request.get(`${fixture.url}/api/v1${path}`)).status()
    expect(await status('/account/usage')).toBe(403)
    await page.goto('/')
    await page.getByLabel('Your secret').fill('é')
    await page.getByRole('button', { name: 'Create link' }).click()
    const refused = page.getByRole('alert').filter({ hasText: 'Your account needs a second factor.' })
    await refused.getByRole('link', { name: 'Continue' }).waitFor()
    expect(await refused.getByRole('button').count()).toBe(0)
    await page.goto('/lite')
    await page.getByLabel('Your secret').fill('é')
    await page.getByRole('button', { name: 'Create link' }).click()
    await refused.waitFor()
    await refused.getByRole('link', { name: 'Continue' }).click()
    await heading(page, 'Security')
    await page.goto('/account/secrets')
    await page.waitForURL('**/account/security')
    await heading(page, 'Security')
    await page.getByText('Your account needs a second factor').first().waitFor()
    await page.getByRole('heading', { name: 'Protect your account with a passkey' }).waitFor()

    const app = await addAuthenticatorApp(page, fixture)
    expect(await status('/account/usage')).toBe(200)
    await page.goto('/account/secrets')
    await heading(page, 'Your secrets')

    await page.context().clearCookies()
    await page.goto('/signin?to=/account/secrets')
    await typeInto(page.getByRole('textbox', { name: 'Username', exact: true }), username)
    await typeInto(page.getByRole('textbox', { name: 'Password', exact: true }), PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'One more step')
    expect(await status('/account/usage')).toBe(401)
    await page.locator('[autocomplete=one-time-code]:focus').waitFor()
    await page.keyboard.type(app.nextCode())
    await page.keyboard.press('Enter')
    await heading(page, 'Your secrets')
  })
})
