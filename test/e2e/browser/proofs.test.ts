/** Changes that need a proof, restricted sessions, and the approval of a device login. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkNames } from '#test/browser/accessible-names'
import { addUsers, PASSWORD, postJson, signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { addAuthenticatorApp, addPasskey, addVirtualAuthenticator } from '#test/browser/factors'
import { pressKeyOn, typeInto } from '#test/browser/keyboard'
import { clickLink, failWith } from '#test/browser/page-actions'
import { needs } from '#test/needs'

describe('proofs', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const dialog = (page: Page) => page.getByRole('dialog', { name: "Confirm that it's you" })

  async function member(): Promise<Page> {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    return page
  }

  async function openSecurity(page: Page): Promise<void> {
    await page.goto('/account/security')
    await heading(page, 'Security')
  }

  /** As ten minutes after the sign-in, until the next proof. */
  async function requireProof(page: Page, url: string): Promise<void> {
    // The page has loaded its tokens.
    await button(page, 'New token').waitFor()
    await failWith(page, url, 403, { code: 'auth.proof_required' })
    await page.route('**/api/v1/account/proof', async (route) => {
      const response = await route.fetch()
      if (response.ok()) await page.unroute(url)
      await route.fulfill({ response })
    })
  }

  /** Fills the form for a new API token. */
  async function fillToken(page: Page, name: string): Promise<void> {
    await pressKeyOn(button(page, 'New token'))
    await typeInto(page.getByLabel('Name', { exact: true }), name)
    await page.keyboard.press('Enter')
  }

  test('a filled form stays after a cancelled proof, waits for the password, and is sent after it', async () => {
    const page = await member()
    await openSecurity(page)
    await requireProof(page, '**/api/v1/account/tokens')
    await fillToken(page, 'backup')
    await dialog(page).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText("Confirm that it's you first.").waitFor()
    const name = page.getByLabel('Name', { exact: true })
    await expect.poll(() => name.inputValue()).toBe('backup')
    await name.press('Enter')
    await dialog(page).waitFor()
    await page.locator('dialog [name=password]:focus').waitFor()
    await checkNames(dialog(page), 'proof')
    await page.keyboard.type('not-the-password')
    await page.keyboard.press('Enter')
    await dialog(page).locator('.error').getByText('The current password is wrong.').waitFor()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('backup was created.').waitFor()
  })

  test('leaving the page cancels the proof', async () => {
    const page = await member()
    await openSecurity(page)
    await clickLink(page, '/account/account-settings')
    await heading(page, 'Account settings')
    await page.goBack()
    await requireProof(page, '**/api/v1/account/tokens')
    await fillToken(page, 'left')
    await dialog(page).waitFor()
    await page.goForward()
    await heading(page, 'Account settings')
    expect(await dialog(page).count()).toBe(0)
    await page.unroute('**/api/v1/account/tokens')
    await page.goBack()
    await button(page, 'New token').waitFor()
    expect(await dialog(page).count()).toBe(0)
  })

  test('a restricted session continues at the second step or at the page for adding a factor', async () => {
    const page = await member()
    await failWith(page, '**/api/v1/account/usage', 403, { code: 'auth.factor_enrolment_required' })
    await page.goto('/account/account')
    await page.waitForURL('**/account/security')
    await heading(page, 'Security')
    await failWith(page, '**/api/v1/account/usage', 403, { code: 'auth.second_factor_required' })
    await page.route('**/authentication/second-factor/options', (route) =>
      route.fulfill({ json: { methods: ['authenticator', 'recovery-code'], passkey: null } }),
    )
    await page.goto('/account/account')
    await heading(page, 'One more step')
    expect(new URL(page.url()).searchParams.get('next')).toBe('/account/account')
  })

  test('the error of a restricted session leads to the page where the user can go on', async () => {
    const page = await member()
    await page.goto('/')
    const submit = async (code: string) => {
      await failWith(page, '**/api/v1/secret', 403, { code })
      await typeInto(page.locator('form textarea'), 'pässword ☃')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('alert').getByRole('link', { name: 'Continue' }).waitFor()
    }
    const target = () => page.getByRole('alert').getByRole('link', { name: 'Continue' }).getAttribute('href')
    await submit('auth.second_factor_required')
    expect(await target()).toBe('/signin/second-step?next=%2F')
    await submit('auth.factor_enrolment_required')
    await expect.poll(target).toBe('/account/security')
    await pressKeyOn(page.getByRole('alert').getByRole('link', { name: 'Continue' }))
    await heading(page, 'Security')
  })

  test('a user approves or denies a device login by its code, which has to be right', async () => {
    const page = await member()
    const start = async () => {
      const body = { client: 'mayfly on laptop', scopes: ['secrets:create'] }
      const headers = { origin: fixture.url }
      const path = `${fixture.url}/api/v1/authentication/device`
      return (await page.request.post(path, { headers, data: body })).json()
    }
    const { userCode, deviceCode } = await start()
    await page.goto('/account/device')
    await heading(page, 'Approve a sign-in')
    await page.locator('[name=code]:focus').waitFor()
    await page.keyboard.type('abc')
    await page.keyboard.press('Enter')
    await page.getByText('Enter the eight letters of the code.').waitFor()
    await typeInto(page.getByLabel('Code'), 'bcdfghjk')
    await page.keyboard.press('Enter')
    await page.locator('.error').getByText('This code is wrong or has expired.').waitFor()
    await typeInto(page.getByLabel('Code'), userCode.toLowerCase().replace('-', ' '))
    await page.keyboard.press('Enter')
    await page.getByText('mayfly on laptop').waitFor()
    await page.getByText('Did you start this yourself?').waitFor()
    await expect.poll(() => page.locator('main .link-box').textContent()).toBe(userCode)
    await pressKeyOn(button(page, 'Approve'))
    await heading(page, 'Sign-in approved')
    await postJson(page, fixture, '/authentication/device/token', { deviceCode })
    await page.goto('/account/security')
    await page.getByRole('rowheader', { name: 'mayfly on laptop' }).waitFor()

    const denied = await start()
    await page.goto(`/account/device?code=${denied.userCode}`)
    await pressKeyOn(button(page, 'Deny'))
    await heading(page, 'Sign-in denied')
    await page.goto(`/account/device?code=${denied.userCode}`)
    await page.locator('.error').getByText('This code is wrong or has expired.').waitFor()
  })

  test('an administrator resets the second factors of a user, who then signs in with the password', async () => {
    const page = await fixture.newVisitor()
    await signInAsAdmin(page, fixture)
    await addUsers(page, fixture, ['forgetful'])
    const signIn = async () => {
      // A sign-in ends the session before it.
      await page.context().clearCookies()
      await postJson(page, fixture, '/authentication/signin', { username: 'forgetful', password: PASSWORD })
    }
    await signIn()
    await addAuthenticatorApp(page, fixture)
    await signInAsAdmin(page, fixture)
    await page.goto('/account/users?search=forgetful')
    const row = page.getByRole('row').filter({ hasText: 'forgetful@example.org' })
    await row.getByText('Authenticator app').waitFor()
    await pressKeyOn(button(page, 'Reset the second factors of forgetful'))
    await page.getByRole('heading', { name: 'Reset the second factors of forgetful?' }).waitFor()
    await pressKeyOn(button(page, 'Reset second factors'))
    await page.getByText('The second factors of forgetful were reset.').waitFor()
    await row.getByText('None', { exact: true }).waitFor()
    await signIn()
    await page.goto('/account')
    await heading(page, 'Hi, forgetful')
  })

  // Last, because a page with a virtual authenticator is not used again.
  test('an account with factors proves itself by a code or a passkey, and not by the password', async () => {
    const page = await member()
    const app = await addAuthenticatorApp(page, fixture)
    await openSecurity(page)
    await requireProof(page, '**/api/v1/account/tokens')
    await fillToken(page, 'by code')
    await dialog(page).waitFor()
    await expect.poll(() => dialog(page).locator('[name=password]').count()).toBe(0)
    await page.keyboard.type(app.nextCode())
    await page.keyboard.press('Enter')
    await page.getByText('by code was created.').waitFor()

    await addVirtualAuthenticator(page)
    await signUp(page, fixture)
    await page.goto('/account/security')
    await addPasskey(page)
    await page.reload()
    await requireProof(page, '**/api/v1/account/tokens')
    await fillToken(page, 'by passkey')
    await dialog(page).waitFor()
    await pressKeyOn(button(page, 'Use a passkey'))
    await page.getByText('by passkey was created.').waitFor()
  })
})
