/**
 * Recovery in the browser: the lock-out on the account page, the reset by mail, and what an administrator sees and
 * ends.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { type MailServer, readParts, smtpEnv, startMailServer } from '#test/mail-server'
import { needs } from '#test/needs'

const NEW = 'näues Passwort ☃'

describe('recovery', needs('chromium'), () => {
  let mailServer: MailServer
  let fixture: BrowserFixture
  beforeAll(async () => {
    mailServer = await startMailServer()
    const webhooks = { MAYFLY_WEBHOOK_USER_TARGETS: 'true', MAYFLY_WEBHOOK_USER_TARGETS_ALLOW: '127.0.0.1' }
    const env = { ...smtpEnv(mailServer), ...webhooks, MAYFLY_PLUGINS: 'web,smtp,webhook', MAYFLY_LIMITS: 'off' }
    fixture = await startBrowserFixture({ env })
  })
  afterAll(async () => {
    await fixture.close()
    await mailServer.close()
  })
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  const dialog = (page: Page) => page.locator('dialog[open]')
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const isClosed = (page: Page) => expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
  const send = async (page: Page, method: string, path: string, data?: object) => {
    const response = await page.request.fetch(`${fixture.url}/api/v1${path}`, {
      method,
      headers: { origin: fixture.url },
      ...(data && { data }),
    })
    if (!response.ok()) throw new Error(`${path}: ${await response.text()}`)
    return (await response.text()) === '' ? null : response.json()
  }
  const statusOf = async (token: string): Promise<number> =>
    (await fetch(`${fixture.url}/api/v1/account`, { headers: { Authorization: `Bearer ${token}` } })).status

  /** An account with two tokens, a webhook, a confirmed address, and a session in another browser. */
  async function createAccount() {
    const [owner, thief] = [await fixture.newVisitor(), await fixture.newVisitor()]
    const username = await signUp(owner, fixture)
    const tokens: string[] = []
    for (const name of ['backup ☃', 'deploy'])
      tokens.push((await send(owner, 'POST', '/account/tokens', { name })).token)
    await send(owner, 'POST', '/account/webhooks', { name: 'Chat ☃', url: 'https://127.0.0.1:9/' })
    await send(thief, 'POST', '/authentication/signin', { username, password: PASSWORD })
    const boss = await fixture.newVisitor()
    await signInAsAdmin(boss, fixture)
    await send(boss, 'PUT', '/admin/users', { username, emailVerified: true })
    return { owner, thief, boss, username, backup: tokens[0] as string, deploy: tokens[1] as string }
  }
  /** Whether each checkbox is checked, by its name. */
  const choices = (page: Page) =>
    page
      .locator('fieldset .check')
      .evaluateAll((rows) =>
        Object.fromEntries(
          rows.map((row) => [row.querySelector('label')?.textContent, row.querySelector('input')?.checked]),
        ),
      )
  const isSignedIn = async (page: Page) => (await page.request.get(`${fixture.url}/api/v1/account`)).status() === 200
  const NOTHING_KEPT = { deploy: false, 'backup ☃': false, 'Chat ☃ (127.0.0.1:9)': false }

  test('SEC-48: a user locks out everyone else and keeps one token, in a dialog that opens at once and shows errors', async () => {
    const { owner, thief, backup, deploy } = await createAccount()
    await owner.goto('/account/security')
    let respond = () => {}
    const held = new Promise<void>((resolve) => {
      respond = resolve
    })
    const failure = { statusCode: 500, error: 'Error', message: 'x', code: 'internal' }
    await owner.route('**/api/v1/account/access', async (route) => {
      await held
      await route.fulfill({ status: 500, json: failure })
    })
    await press(owner, 'Lock out everyone')
    const submit = dialog(owner).getByRole('button', { name: 'Lock out everyone' })
    const busy = () => Promise.all(['aria-busy', 'aria-disabled'].map((name) => submit.getAttribute(name)))
    await dialog(owner).getByRole('status').getByText('Loading').waitFor()
    expect(await busy()).toEqual(['true', 'true'])
    respond()
    await dialog(owner).getByRole('alert').waitFor()
    await expect.poll(() => owner.locator(':focus').getByRole('alert').count()).toBe(1)
    expect(await busy()).toEqual(['false', 'true'])
    await owner.keyboard.press('Escape')
    await isClosed(owner)
    await expect.poll(() => owner.locator(':focus').textContent()).toBe('Lock out everyone')
    await owner.unroute('**/api/v1/account/access')
    fixture.takeErrors()

    await press(owner, 'Lock out everyone')
    await dialog(owner).getByText('Known devices').waitFor()
    expect(await choices(owner)).toEqual(NOTHING_KEPT)
    const always = await dialog(owner).getByRole('listitem').allTextContents()
    expect(always.slice(1)).toEqual(['Known devices', 'Unopened links in e-mails'])
    await dialog(owner).getByLabel('backup ☃').check()
    await dialog(owner).getByLabel('New password').fill(NEW)
    await owner.keyboard.press('Enter')
    await dialog(owner).getByText('Enter your current password.').waitFor()
    await dialog(owner).getByLabel('Current password').fill('not the password')
    await owner.keyboard.press('Enter')
    await dialog(owner).locator('.error').filter({ hasText: 'password' }).waitFor()
    expect(await isSignedIn(thief)).toBe(true)
    await dialog(owner).getByLabel('Current password').fill(PASSWORD)
    await owner.keyboard.press('Enter')
    await owner.getByText('Everyone else is locked out. You stay signed in here.').waitFor()
    await owner.getByText('Kept: backup ☃').waitFor()
    await isClosed(owner)
    await expect.poll(() => owner.locator(':focus').textContent()).toContain('Everyone else is locked out.')
    expect([await isSignedIn(owner), await isSignedIn(thief)]).toEqual([true, false])
    expect([await statusOf(backup), await statusOf(deploy)]).toEqual([200, 401])
    await press(owner, 'Lock out everyone')
    await dialog(owner).getByText('Known devices').waitFor()
    expect(await choices(owner)).toEqual({ 'backup ☃': false })
  })

  test('an account without a password has to keep a sign-in method', async () => {
    const owner = await fixture.newVisitor()
    await signUp(owner, fixture)
    const identity = { id: 'a1', provider: 'company', label: 'Company ☃', createdAt: Date.now() }
    await owner.route('**/api/v1/account', async (route) => {
      const response = await route.fetch()
      const { user } = await response.json()
      await route.fulfill({ response, json: { user: { ...user, hasPassword: false } } })
    })
    await owner.route('**/api/v1/account/access', (route) =>
      route.fulfill({ json: { sessions: [], factors: [], tokens: [], webhooks: [], identities: [identity] } }),
    )
    const sent: unknown[] = []
    await owner.route('**/api/v1/account/lock-out', (route) => {
      sent.push(route.request().postDataJSON())
      return route.fulfill({ status: 204 })
    })
    await owner.goto('/account/security')
    await press(owner, 'Lock out everyone')
    await dialog(owner).getByLabel('Company ☃').waitFor()
    await dialog(owner).getByRole('button', { name: 'Lock out everyone' }).click()
    await dialog(owner).getByText('Keep a sign-in method.').waitFor()
    await expect.poll(() => owner.evaluate('document.activeElement.name')).toBe('identities')
    await dialog(owner).getByLabel('Company ☃').check()
    await dialog(owner).getByRole('button', { name: 'Lock out everyone' }).click()
    await owner.getByText('Kept: Company ☃').waitFor()
    expect(sent).toEqual([{ keep: { factors: [], tokens: [], identities: ['a1'], webhooks: [] } }])
  })

  test('a reset by mail works once, lists what the account has and keeps what was chosen', async () => {
    const { thief, username, backup, deploy } = await createAccount()
    const address = `${username}@example.org`
    const visitor = await fixture.newVisitor()
    for (const email of ['unknown@example.org', address]) {
      await visitor.goto('/signin')
      await visitor.getByRole('link', { name: 'Forgot your password?' }).click()
      await visitor.getByLabel('E-mail').fill(email)
      await press(visitor, 'Send link')
      await visitor.getByText('If an account has this address').waitFor()
    }
    const links = () =>
      mailServer.mails.flatMap((mail) => {
        const [link] = /http\S+\/reset-password#\S+/.exec(readParts(mail)[0] ?? '') ?? []
        return link === undefined ? [] : [{ link, to: mail.to }]
      })
    await expect.poll(links).toEqual([{ link: expect.any(String), to: [address] }])
    const [{ link = '' } = {}] = links()
    await visitor.goto(link)
    await visitor.getByLabel('Password', { exact: true }).fill(NEW)
    expect(await choices(visitor)).toEqual(NOTHING_KEPT)
    await visitor.getByLabel('deploy').check()
    await press(visitor, 'Save password')
    await visitor.getByText('Your password was changed.').waitFor()
    await visitor.getByText('Kept: deploy').waitFor()
    expect(await isSignedIn(thief)).toBe(false)
    expect([await statusOf(backup), await statusOf(deploy)]).toEqual([401, 200])

    await visitor.goto('/signin')
    await visitor.getByLabel('Username').fill(username)
    await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press(visitor, 'Sign in')
    await visitor.getByRole('alert').waitFor()
    await visitor.getByLabel('Password', { exact: true }).fill(NEW)
    await press(visitor, 'Sign in')
    await visitor.getByRole('heading', { level: 1, name: `Hi, ${username}` }).waitFor()

    await visitor.context().clearCookies()
    await visitor.goto(link)
    await visitor.getByText('This link is invalid or has expired.').waitFor()
    await visitor.getByRole('link', { name: 'Reset your password' }).click()
    await visitor.getByRole('button', { name: 'Send link' }).waitFor()
  })

  test('an administrator ends single accesses, and locks everyone out with a new password', async () => {
    const { owner, thief, boss, username, backup, deploy } = await createAccount()
    await boss.goto(`/account/users?search=${username}`)
    await press(boss, `Access to ${username}`)
    await dialog(boss).getByRole('heading', { name: 'Webhooks' }).waitFor()
    for (const name of ['deploy', 'Chat ☃ (127.0.0.1:9)']) {
      await press(boss, `End ${name}`)
      await dialog(boss).last().getByRole('button', { name: 'End', exact: true }).click()
      await boss.getByText(`${name} has ended.`).waitFor()
    }
    expect(await dialog(boss).getByRole('heading').allTextContents()).toEqual([
      `Access to ${username}`,
      'Sessions',
      'API tokens',
    ])
    expect([await statusOf(backup), await statusOf(deploy)]).toEqual([200, 401])
    expect(await send(owner, 'GET', '/account/webhooks')).toEqual([])
    await press(boss, 'Done')
    await isClosed(boss)

    let load = () => {}
    const loading = new Promise<void>((resolve) => {
      load = resolve
    })
    await boss.route('**/admin/access*', (route) => loading.then(() => route.continue()))
    await press(boss, `Lock everyone out of ${username}`)
    const submit = dialog(boss).getByRole('button', { name: 'Lock out everyone' })
    expect(await submit.getAttribute('aria-disabled')).toBe('true')
    load()
    await dialog(boss).getByLabel('backup ☃').waitFor()
    expect(await choices(boss)).toEqual({ 'backup ☃': false })
    await press(boss, 'Lock out everyone')
    await boss.getByRole('heading', { name: `New password for ${username}` }).waitFor()
    const password = (await boss.locator('dialog .link-box').textContent()) ?? ''
    await boss.getByText(`Everyone is locked out of ${username}.`).waitFor({ state: 'attached' })
    expect([await isSignedIn(owner), await isSignedIn(thief), await statusOf(backup)]).toEqual([false, false, 401])
    await send(owner, 'POST', '/authentication/signin', { username, password })
  })
})
