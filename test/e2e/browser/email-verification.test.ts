/** Verified addresses: sign up with a limited domain, open the link of the mail, create a secret. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, PASSWORD, signInAsAdmin } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { type MailServer, readParts, smtpEnv, startMailServer } from '#test/mail-server'
import { needs } from '#test/needs'

describe('verified e-mail addresses', needs('chromium'), () => {
  let mailServer: MailServer
  let fixture: BrowserFixture
  beforeAll(async () => {
    mailServer = await startMailServer()
    fixture = await startBrowserFixture({ env: smtpEnv(mailServer) })
  })
  afterAll(async () => {
    await fixture.close()
    await mailServer.close()
  })
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  test('a new user confirms the address, and then creates secrets', async () => {
    const admin = await fixture.newVisitor()
    await signInAsAdmin(admin, fixture)
    const data = { restrict_organization_email: 'example.org', who_can_create: 'users' }
    const changed = await admin.request.put(`${fixture.url}/api/v1/admin/settings`, {
      headers: { origin: fixture.url },
      data,
    })
    expect(changed.status()).toBe(200)

    const user = await fixture.newVisitor()
    await user.goto('/signup')
    await user.getByLabel('E-mail').fill('zoe@example.org')
    await user.getByLabel('Username').fill('zoe-1')
    await user.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await user.getByRole('button', { name: 'Sign up', exact: true }).click()
    await user.getByText('Confirm your e-mail address').first().waitFor()
    const ofZoe = () => mailServer.mails.filter(({ to }) => to.includes('zoe@example.org'))
    await expect.poll(() => ofZoe().length).toBe(1)
    const [text = ''] = readParts(ofZoe()[0] ?? expect.fail('no mail'))
    const [, link = ''] = /(http\S+\/verify-email#\S+)/.exec(text) ?? []

    await user.goto('/')
    await user.getByText('Confirm your e-mail address first.').waitFor()
    await user.getByRole('link', { name: 'Account', exact: true }).first().click()
    await user.getByText('Not confirmed').waitFor()
    const notifications = user.getByLabel('E-mails about my secrets and requests')
    await user.goto('/account/account-settings')
    expect(await notifications.isDisabled()).toBe(true)

    // The link is opened on a device without a session.
    const phone = await fixture.newVisitor()
    await phone.goto(link)
    await phone.getByRole('button', { name: 'Confirm address' }).click()
    await phone.getByText(/@example\.org.* is confirmed\./).waitFor()

    await user.goto('/')
    await user.getByLabel('Your secret').fill('geheim ☃')
    await user.getByRole('button', { name: 'Create link' }).click()
    await user.locator('.link-box').first().waitFor()
    await user.goto('/account')
    await user.getByText('Confirmed', { exact: true }).waitFor()
    await user.goto('/account/account-settings')
    expect(await notifications.isDisabled()).toBe(false)
    await admin.goto('/account/users')
    // Only the administrator, who opened no link.
    await admin.getByText('E-mail not confirmed').waitFor()
    expect(await admin.getByText('E-mail not confirmed').count()).toBe(1)
    expect(await admin.getByRole('row').filter({ hasText: 'E-mail not confirmed' }).textContent()).toContain(ADMIN)
  })
})
