/**
 * E-mails to users: a notification is asked for, sent when the secret is opened, and turned off with the link in it; a
 * new user opens the link that confirms the address, and then creates secrets.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, PASSWORD, signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { type MailServer, readHeaders, readParts, smtpEnv, startMailServer } from '#test/mail-server'
import { needs } from '#test/needs'

const TEXT = 'geheimer Text ☃'
const GERMAN = { locale: 'de-DE' }

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

describe('e-mails', needs('chromium'), () => {
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

  /** Creates a secret in a German browser, with a notification. */
  async function createNotified(page: Page): Promise<string> {
    await page.goto('/')
    await page.getByLabel('Ihr Geheimnis').fill(TEXT)
    await page.locator('summary').click()
    await page.getByLabel('Mich benachrichtigen').check()
    await page.getByRole('button', { name: 'Link erstellen' }).click()
    const link = (await page.locator('.link-box').first().textContent()) as string
    // The next form starts with the defaults.
    await page.evaluate("localStorage.removeItem('last-options')")
    return link
  }

  /** Uses the link of the mail that a new user gets. */
  async function confirmAddress(): Promise<void> {
    await expect.poll(() => mailServer.mails.length).toBe(1)
    const [text = ''] = readParts(mailServer.mails[0] ?? expect.fail('no mail'))
    const visitor = await fixture.newVisitor()
    await visitor.goto(/http\S+\/verify-email#\S+/.exec(text)?.[0] ?? '')
    await press(visitor, 'Confirm address')
    await visitor.getByText('is confirmed.').waitFor()
  }

  async function open(link: string): Promise<void> {
    const reader = await fixture.newVisitor()
    await reader.goto(link)
    await press(reader, 'Reveal secret')
    await reader.getByText(TEXT).waitFor()
  }

  test('the owner gets a mail in the language of the browser, and turns them off without a sign-in', async () => {
    const owner = await fixture.newVisitor(GERMAN)
    const username = await signUp(owner, fixture)
    await confirmAddress()
    const link = await createNotified(owner)
    await open(link)
    await expect.poll(() => mailServer.mails.length).toBe(2)
    const [, mail = expect.fail('no mail')] = mailServer.mails
    expect(mail.to).toEqual([`${username}@example.org`])
    expect(readHeaders(mail)).toMatch(/^Content-Language: de$/m)
    const [text = ''] = readParts(mail)
    expect(text).toContain('Jemand hat ein Geheimnis geöffnet')
    expect(text).not.toContain(new URL(link).hash.slice(1))

    const [, unsubscribeUrl = ''] = /(http\S+\/unsubscribe\/\S+)/.exec(text) ?? []
    const visitor = await fixture.newVisitor()
    await visitor.goto(unsubscribeUrl)
    await press(visitor, 'Turn off notifications')
    await visitor.getByText('Notifications are off.').waitFor()

    await owner.goto('/account/account-settings')
    const setting = owner.getByLabel('E-Mails zu meinen Geheimnissen und Anfragen')
    expect(await setting.isChecked()).toBe(false)
    await open(await createNotified(owner))
    await owner.goto('/account/account-settings')
    await setting.check()
    await owner.getByText('Gespeichert').waitFor()
    await open(await createNotified(owner))
    // The second one was not sent.
    await expect.poll(() => mailServer.mails.length).toBe(3)
  })

  test('a visitor is not offered a notification, and a wrong link says what to do', async () => {
    const visitor = await fixture.newVisitor()
    await visitor.goto('/')
    await visitor.locator('summary').click()
    await visitor.getByText('List publicly').waitFor()
    expect(await visitor.getByLabel('Notify me').count()).toBe(0)
    await visitor.goto('/unsubscribe#wrong')
    await press(visitor, 'Turn off notifications')
    await visitor.getByText("This link doesn't work.").waitFor()
    expect(fixture.takeErrors().every((error) => error.includes('404'))).toBe(true)
  })

  // Last, because it limits who may sign up and create.
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
