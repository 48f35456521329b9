/** Sign-in with a second factor and with passkeys, in the browser. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkNames } from '#test/browser/accessible-names'
import { PASSWORD, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { addAuthenticatorApp, addPasskey, addVirtualAuthenticator, setVerified } from '#test/browser/factors'
import { pressKeyOn, typeInto } from '#test/browser/keyboard'
import { failWith } from '#test/browser/page-actions'
import { needs } from '#test/needs'

describe('second factor', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

  async function signInWithPassword(page: Page, username: string, search = ''): Promise<void> {
    await page.goto(`/signin${search}`)
    await typeInto(field(page, 'Username'), username)
    await typeInto(field(page, 'Password'), PASSWORD)
    await page.keyboard.press('Enter')
  }

  /** An account with an authenticator app. The visitor is not signed in. */
  async function memberWithApp() {
    const page = await fixture.newVisitor()
    const username = await signUp(page, fixture)
    const app = await addAuthenticatorApp(page, fixture)
    await page.context().clearCookies()
    return { username, app, page }
  }

  test('after the password, a code of the authenticator app signs in, and a recovery code replaces the app once', async () => {
    const { username, app, page } = await memberWithApp()
    await signInWithPassword(page, username, '?to=/account/secrets')
    await heading(page, 'One more step')
    expect(new URL(page.url()).search).toBe('?next=%2Faccount%2Fsecrets')
    await checkNames(page.locator('main'), 'second-step')
    await page.locator('[autocomplete=one-time-code][inputmode=numeric]:focus').waitFor()
    await page.keyboard.type('12 34')
    await page.keyboard.press('Enter')
    await page.getByText('Enter the six digits that the app shows.').waitFor()
    await typeInto(field(page, 'Code from your authenticator app'), '000 000')
    await page.keyboard.press('Enter')
    await page.locator('.error').getByText('This code is wrong or was already used.').waitFor()
    await expect.poll(() => page.title()).toBe('Error: One more step · Mayfly')
    await page.locator('[name=authenticator]:focus').waitFor()
    const code = app.nextCode()
    await page.keyboard.type(`${code.slice(0, 3)} ${code.slice(3)}`)
    await page.keyboard.press('Enter')
    await heading(page, 'Your secrets')
    expect(page.url()).toBe(`${fixture.url}/account/secrets`)

    const [recoveryCode = ''] = app.recoveryCodes
    for (const isFirst of [true, false]) {
      await page.context().clearCookies()
      await signInWithPassword(page, username)
      await pressKeyOn(button(page, 'Use a recovery code'))
      await page.locator('[name=recovery-code]:focus').waitFor()
      await page.keyboard.type(recoveryCode.toUpperCase())
      await page.keyboard.press('Enter')
      if (isFirst) await heading(page, `Hi, ${username}`)
      else await page.locator('.error').getByText('This code is wrong or was already used.').waitFor()
    }
  })

  test('a second step that took too long starts again, with the requested page', async () => {
    const { username, page } = await memberWithApp()
    await signInWithPassword(page, username, '?to=/public')
    await heading(page, 'One more step')
    await page.context().clearCookies({ name: 'pending' })
    await typeInto(field(page, 'Code from your authenticator app'), '123456')
    await page.keyboard.press('Enter')
    await page.getByText('The sign-in took too long. Sign in again.').waitFor()
    expect(new URL(page.url()).searchParams.get('to')).toBe('/public')
    await page.goto('/signin/second-step?next=/public')
    await page.getByText('The sign-in took too long. Sign in again.').waitFor()
    expect(new URL(page.url()).searchParams.get('to')).toBe('/public')
  })

  test('a passkey signs in without a username, by the list and by the button, and as the second step', async () => {
    const page = await fixture.newVisitor()
    const authenticator = await addVirtualAuthenticator(page)
    const username = await signUp(page, fixture)
    await page.goto('/account')
    expect(await addPasskey(page)).toHaveLength(10)
    await page.context().clearCookies()
    // The virtual authenticator chooses from the list at the username at once.
    await page.goto('/signin')
    await heading(page, `Hi, ${username}`)

    await page.context().clearCookies()
    // It answers requests of the list at once, too: nothing is confirmed.
    await setVerified(authenticator, false)
    await page.goto('/signin?to=/account/secrets')
    await pressKeyOn(button(page, 'Sign in with a passkey'))
    await button(page, 'Sign in with a passkey').and(page.locator('[aria-disabled=false]')).waitFor()
    await expect.poll(() => page.locator('.notice.bad').count()).toBe(0)
    await setVerified(authenticator, true)
    await pressKeyOn(button(page, 'Sign in with a passkey'))
    await heading(page, 'Your secrets')

    await page.context().clearCookies()
    await setVerified(authenticator, false)
    await signInWithPassword(page, username)
    await heading(page, 'One more step')
    await checkNames(page.locator('main'), 'second-step-passkey')
    await setVerified(authenticator, true)
    await pressKeyOn(button(page, 'Use a passkey'))
    await heading(page, `Hi, ${username}`)

    await page.context().clearCookies()
    await failWith(page, '**/authentication/passkey', 403, { code: 'auth.passkey_refused' })
    await page.goto('/signin')
    await page.getByText("This passkey wasn't accepted. Try again, or choose another method.").waitFor()
  })

  test('the challenge for the list is renewed before it expires, in a hidden tab when the user comes back', async () => {
    const page = await fixture.newVisitor()
    const authenticator = await addVirtualAuthenticator(page)
    await setVerified(authenticator, false)
    await page.clock.install()
    let challenges = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/authentication/passkey/options')) challenges++
    })
    const hide = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    await page.goto('/signin')
    await heading(page, 'Sign in')
    await expect.poll(() => challenges).toBe(1)
    await page.clock.fastForward('03:59')
    await hide(true)
    await hide(false)
    await page.clock.fastForward('00:02')
    await expect.poll(() => challenges).toBe(2)
    await hide(true)
    await page.clock.fastForward('30:00')
    await page.clock.fastForward('30:00')
    await page.waitForLoadState('networkidle')
    expect(challenges).toBe(2)
    await hide(false)
    await expect.poll(() => challenges).toBe(3)
  })
})
