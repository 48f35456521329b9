/** Notifications by e-mail: ask for one, get it when the secret is opened, turn them off with the link in the mail. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { type MailServer, readHeaders, readParts, smtpEnv, startMailServer } from '#test/mail-server'
import { needs } from '#test/needs'

const TEXT = 'geheimer Text ☃'
const GERMAN = { locale: 'de-DE' }

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

describe('notifications', needs('chromium'), () => {
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
})
