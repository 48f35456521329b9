/** Passkeys, authenticator app and recovery codes on the page Security, and the policies for them. */
import { readFile } from 'node:fs/promises'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { addVirtualAuthenticator, setVerified } from '#test/browser/factors'
import { pressKeyOn, typeInto } from '#test/browser/keyboard'
import { needs } from '#test/needs'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string, level = 1) =>
  page.getByRole('heading', { name, exact: true, level }).waitFor()
const dialog = (page: Page) => page.locator('dialog[open]')
const card = (page: Page, id: string) => page.locator(`main section#${id}`)

/** Opens the page Security of a new account. */
async function openSecurity(fixture: BrowserFixture): Promise<{ page: Page; username: string }> {
  const page = await fixture.newVisitor()
  const username = await signUp(page, fixture)
  await page.goto('/account/security')
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()
  return { page, username }
}

/** Sets up an authenticator app and returns it. */
async function setUpApp(page: Page): Promise<TOTP> {
  await button(page, 'Set up an authenticator app').click()
  await dialog(page).getByRole('img', { name: 'QR code for the app' }).waitFor()
  const secret = (await dialog(page).locator('.link-box').textContent()) as string
  const app = new TOTP({ secret: secret.replaceAll(' ', '') })
  await dialog(page).getByLabel('Code from the app').fill(app.generate())
  await button(page, 'Confirm').click()
  return app
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await button(page, 'Add a passkey').click()
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByRole('button', { name: 'Add a passkey' }).click()
}

/** Closes the dialog of new codes. */
async function copyCodes(page: Page): Promise<string[]> {
  await dialog(page).getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  const codes = await dialog(page).getByRole('listitem').allTextContents()
  await button(page, 'Copy codes').click()
  await button(page, 'Done').click()
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
  return codes
}

describe('second factors of an account', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  async function setPolicy(data: object): Promise<void> {
    const admin = await fixture.newVisitor()
    await signInAsAdmin(admin, fixture)
    const headers = { origin: fixture.url }
    const changed = await admin.request.put(`${fixture.url}/api/v1/admin/settings`, { headers, data })
    expect(changed.status()).toBe(200)
  }

  test('a user adds, renames and removes passkeys by keyboard, and a lock-out keeps the chosen ones', async () => {
    const { page, username } = await openSecurity(fixture)
    const authenticator = await addVirtualAuthenticator(page)
    const other = await fixture.newVisitor()
    const signIn = await other.request.post(`${fixture.url}/api/v1/authentication/signin`, {
      headers: { origin: fixture.url },
      data: { username, password: PASSWORD },
    })
    expect(signIn.status()).toBe(200)
    await page.getByRole('heading', { name: 'Protect your account with a passkey' }).waitFor()
    await pressKeyOn(button(page, 'Add a passkey'))
    expect(await dialog(page).getByLabel('Name').inputValue()).toMatch(/^\w+ on \w+$/)
    await typeInto(dialog(page).getByLabel('Name'), ' ')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Enter a name.').waitFor()
    await typeInto(dialog(page).getByLabel('Name'), 'Läptop ☃')
    await setVerified(authenticator, false)
    await page.keyboard.press('Enter')
    await dialog(page).getByText("No passkey was added. Try again when you're ready.").waitFor()
    await setVerified(authenticator, true)
    await pressKeyOn(dialog(page).getByRole('button', { name: 'Add a passkey' }))
    const codes = await copyCodes(page)
    expect(new Set(codes).size).toBe(10)
    await card(page, 'passkeys').getByText('Läptop ☃ was added.').waitFor()
    await card(page, 'passkeys').locator('h2:focus').getByText('Passkeys').waitFor()
    await card(page, 'passkeys').getByText('Läptop ☃', { exact: true }).waitFor()
    await card(page, 'recovery-codes').getByText('10 codes left').waitFor()
    expect((await other.request.get(`${fixture.url}/api/v1/account`)).status()).toBe(401)
    await expect.poll(() => page.locator('.sessions', { hasText: 'This device' }).getByRole('listitem').count()).toBe(1)

    await pressKeyOn(button(page, 'Rename Läptop ☃'))
    await typeInto(dialog(page).getByLabel('Name'), 'Handy ☃')
    await page.keyboard.press('Enter')
    await card(page, 'passkeys').getByText('Updated.').waitFor()
    await card(page, 'passkeys').getByText('Handy ☃', { exact: true }).waitFor()

    await addPasskey(page, 'again')
    await dialog(page).getByText('This device already has a passkey for your account.').waitFor()
    // Another device, which has no passkey yet.
    await authenticator.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: authenticator.id })
    await addVirtualAuthenticator(page)
    await dialog(page).getByRole('button', { name: 'Add a passkey' }).click()
    await card(page, 'passkeys').getByText('again was added.').waitFor()
    await expect.poll(() => card(page, 'passkeys').getByRole('listitem').count()).toBe(2)
    await pressKeyOn(button(page, 'Remove again'))
    await dialog(page).getByText('You can no longer sign in with it.', { exact: true }).waitFor()
    await pressKeyOn(dialog(page).getByRole('button', { name: 'Remove' }))
    await page.getByText('again was removed.').waitFor()
    await expect.poll(() => card(page, 'passkeys').getByRole('listitem').count()).toBe(1)

    await setUpApp(page)
    await card(page, 'authenticator').getByText('The authenticator app is set up.').waitFor()
    await button(page, 'Lock out everyone').click()
    const factors = dialog(page).getByRole('group', { name: 'Passkeys and authenticator app' })
    await expect
      .poll(() => factors.locator('label').allTextContents())
      .toEqual(['Handy ☃', 'Authenticator app', 'Recovery codes'])
    await factors.getByLabel('Handy ☃').check()
    await factors.getByLabel('Recovery codes').check()
    await dialog(page).getByLabel('Current password').fill(PASSWORD)
    await dialog(page).getByLabel('New password').fill(`${PASSWORD}!`)
    await page.keyboard.press('Enter')
    await page.getByText('Kept: Handy ☃ and Recovery codes').waitFor()
    await expect
      .poll(() => card(page, 'authenticator').getByRole('button').allTextContents())
      .toEqual(['Set up an authenticator app'])
    await card(page, 'passkeys').getByText('Handy ☃', { exact: true }).waitFor()
    await card(page, 'recovery-codes').getByText('10 codes left').waitFor()

    await pressKeyOn(button(page, 'Remove Handy ☃'))
    await dialog(page).getByText('Your recovery codes are deleted, too.').waitFor()
    await pressKeyOn(dialog(page).getByRole('button', { name: 'Remove' }))
    await page.getByText('Handy ☃ was removed.').waitFor()
    await page.locator('h2:focus').getByText('Protect your account with a passkey').waitFor()
    expect(await card(page, 'recovery-codes').count()).toBe(0)
  })

  test('a user forgets the known devices, except this browser', async () => {
    const { page } = await openSecurity(fixture)
    const device = async () => (await page.context().cookies()).find(({ name }) => name === 'device')?.value
    const before = await device()
    await button(page, 'Forget all other devices').click()
    await page.getByRole('status').getByText('All other devices are forgotten.').waitFor()
    expect(await device()).toMatch(/^[\w-]{22}\./)
    expect(await device()).not.toBe(before)
  })

  test('a user sets up an authenticator app by keyboard, and downloads and replaces the recovery codes', async () => {
    const { page, username } = await openSecurity(fixture)
    await pressKeyOn(button(page, 'Set up an authenticator app'))
    await typeInto(dialog(page).getByLabel('Code from the app'), '12345')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Enter the 6 digits that the app shows.').waitFor()
    const secret = (await dialog(page).locator('.link-box').textContent()) as string
    const app = new TOTP({ secret: secret.replaceAll(' ', '') })
    // A code of another day.
    await dialog(page)
      .getByLabel('Code from the app')
      .fill(app.generate({ timestamp: 0 }))
    await button(page, 'Confirm').click()
    await dialog(page).getByText('This code is wrong or was already used.').waitFor()
    const code = app.generate()
    await typeInto(dialog(page).getByLabel('Code from the app'), `${code.slice(0, 3)} ${code.slice(3)}`)
    await page.keyboard.press('Enter')

    await dialog(page).getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
    const codes = await dialog(page).getByRole('listitem').allTextContents()
    await page.keyboard.press('Escape')
    await dialog(page).getByText("You haven't saved the codes.").waitFor()
    const saving = page.waitForEvent('download')
    await button(page, 'Download').click()
    const file = await saving
    expect(file.suggestedFilename()).toBe('recovery-codes.txt')
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
    expect(lines).toEqual([new URL(fixture.url).host, username, '', ...codes])
    await page.keyboard.press('Escape')
    await card(page, 'authenticator').getByText('The authenticator app is set up.').waitFor()
    await card(page, 'authenticator').locator('h2:focus').waitFor()
    expect(await button(page, 'Set up an authenticator app').count()).toBe(0)

    await pressKeyOn(button(page, 'Create new codes'))
    await dialog(page).getByText('Your old codes stop working.').waitFor()
    await pressKeyOn(dialog(page).getByRole('button', { name: 'Create new codes' }))
    await dialog(page).getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
    const renewed = await dialog(page).getByRole('listitem').allTextContents()
    await pressKeyOn(button(page, 'Done'))
    await dialog(page).getByText("You haven't saved the codes.").waitFor()
    await pressKeyOn(button(page, 'Close anyway'))
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    expect(renewed.filter((each) => codes.includes(each))).toEqual([])
    await expect.poll(() => page.content()).not.toContain(renewed[0])

    await button(page, 'Remove Authenticator app').click()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { name: 'Protect your account with a passkey' }).waitFor()
  })

  // The last tests: they change the policy, and administrators need a factor at its end, too.
  test('a site without second factors does not offer them', async () => {
    await setPolicy({ second_factor: 'off' })
    const { page } = await openSecurity(fixture)
    await button(page, 'Change password').waitFor()
    expect(await button(page, 'Add a passkey').count()).toBe(0)
  })

  test('a site that requires a second factor says until when, and keeps the last one', async () => {
    await setPolicy({ second_factor: 'everyone' })
    const { page } = await openSecurity(fixture)
    await page.getByText(/^Your account needs a second factor from .+ on\.$/).waitFor()
    await setUpApp(page)
    await copyCodes(page)
    await expect.poll(() => page.getByText(/^Your account needs a second factor/).count()).toBe(0)
    await button(page, 'Remove Authenticator app').click()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await card(page, 'authenticator').getByText("so you can't remove your last one").waitFor()
  })

  test('an account that needs a second factor at once can do nothing but add one, and needs it for the next sign-in', async () => {
    await setPolicy({ second_factor_grace_days: '0' })
    const page = await fixture.newVisitor()
    const username = await signUp(page, fixture)
    const status = async (path: string) => (await page.request.get(`${fixture.url}/api/v1${path}`)).status()
    expect(await status('/account/usage')).toBe(403)
    for (const path of ['/', '/lite']) {
      await page.goto(path)
      await page.getByLabel('Your secret').fill('é')
      await page.getByRole('button', { name: 'Create link' }).click()
      const refused = page.getByRole('alert').filter({ hasText: 'Your account needs a second factor.' })
      await refused.getByRole('link', { name: 'Continue' }).waitFor()
      expect(await refused.getByRole('button').count()).toBe(0)
      if (path === '/lite') await refused.getByRole('link', { name: 'Continue' }).click()
    }
    await heading(page, 'Security')
    await page.goto('/account/secrets')
    await page.waitForURL('**/account/security')
    await heading(page, 'Security')
    await page.getByText('Your account needs a second factor. Add a passkey or an authenticator app first.').waitFor()
    await heading(page, 'Protect your account with a passkey', 2)
    expect(await page.getByText('API tokens').count()).toBe(0)

    const app = await setUpApp(page)
    await copyCodes(page)
    await button(page, 'New token').waitFor()
    await page.getByText("Where you're signed in").waitFor()
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
    await page.keyboard.type(app.generate({ timestamp: Date.now() + 30_000 }))
    await page.keyboard.press('Enter')
    await heading(page, 'Your secrets')
  })
})
