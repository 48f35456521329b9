/** Password reset by e-mail: ask for a link, choose a new password, sign in with it. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { type MailServer, readParts, smtpEnv, startMailServer } from '#test/mail-server'
import { needs } from '#test/needs'

const NEW = 'näues Passwort ☃'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

describe('password reset', needs('chromium'), () => {
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

  async function askForLink(page: Page, email: string): Promise<void> {
    await page.goto('/signin')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail').fill(email)
    await press(page, 'Send link')
    await page.getByText('If an account has this address').waitFor()
  }

  /** Waits for the only mail with a link to this page. */
  async function receiveLink(page: string): Promise<{ link: string; to: string[] }> {
    const links = () =>
      mailServer.mails.flatMap((mail) => {
        const [link] = new RegExp(`http\\S+/${page}#\\S+`).exec(readParts(mail)[0] ?? '') ?? []
        return link === undefined ? [] : [{ link, to: mail.to }]
      })
    await expect.poll(() => links().length).toBe(1)
    return links()[0] ?? expect.fail('no mail')
  }

  /** No link for a new password goes to an address that is not confirmed. */
  async function confirmAddress(page: Page): Promise<void> {
    const { link } = await receiveLink('verify-email')
    await page.goto(link)
    await press(page, 'Confirm address')
    await page.getByText(/@example\.org.* is confirmed\./).waitFor()
  }

  async function signIn(page: Page, username: string, password: string): Promise<void> {
    await page.goto('/signin')
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await press(page, 'Sign in')
  }

  test('the link in the mail sets a new password once', async () => {
    const owner = await fixture.newVisitor()
    const username = await signUp(owner, fixture)
    await confirmAddress(owner)
    const visitor = await fixture.newVisitor()
    await askForLink(visitor, 'unknown@example.org')
    await askForLink(visitor, `${username}@example.org`)
    const { link, to } = await receiveLink('reset-password')
    expect(to).toEqual([`${username}@example.org`])

    await visitor.goto(link)
    await visitor.getByLabel('Password', { exact: true }).fill(NEW)
    await press(visitor, 'Save password')
    await visitor.getByText('Your password was changed.').waitFor()
    expect(fixture.takeErrors()).toEqual([])
    await signIn(visitor, username, PASSWORD)
    await visitor.getByRole('alert').waitFor()
    await signIn(visitor, username, NEW)
    await visitor.getByRole('heading', { level: 1, name: `Hi, ${username}` }).waitFor()

    const second = await fixture.newVisitor()
    await second.goto(link)
    await second.getByText('This link is invalid or has expired.').waitFor()
    await second.getByRole('link', { name: 'Reset your password' }).click()
    await second.getByRole('button', { name: 'Send link' }).waitFor()
  })
})
