/** The account area: access, menu, settings, tokens, secrets and sessions. */

import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expireSessionSoon, PASSWORD, postJson, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { alterResponse, clickLink } from '#test/browser/page-actions'
import { needs } from '#test/needs'

const CHANGED = 'birch-canoe-51'

describe('the account area', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  const menu = (page: Page) => page.getByRole('complementary', { name: 'Account menu' })
  const current = (page: Page) => menu(page).locator('[aria-current]').allTextContents()

  test('an account page asks a visitor to sign in, then opens', async () => {
    const page = await fixture.newVisitor()
    const username = await signUp(page, fixture)
    await page.context().clearCookies()
    await page.goto('/account/terms')
    await heading(page, 'Sign in')
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('username')
    await page.keyboard.press('Enter')
    await page.getByText('Enter your username.').waitFor()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Terms')
    expect(page.url()).toBe(`${fixture.url}/account/terms`)
    await expect.poll(() => current(page)).toEqual(['Terms'])
  })

  test('the account menu marks the current page and those for administrators, and the pages report errors', async () => {
    const page = await fixture.newVisitor()
    const username = await signUp(page, fixture)
    await page.goto('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Account' }).click()
    await heading(page, `Hi, ${username}`)
    expect(await page.locator('header').boundingBox()).toMatchObject({ x: 0, y: 0, height: 75 })
    expect(await menu(page).boundingBox()).toMatchObject({ x: 0, y: 75, width: 280 })
    await expect.poll(() => current(page)).toEqual(['Account'])
    await expect
      .poll(() => menu(page).getByRole('link').allTextContents())
      .toEqual([
        'Account',
        'Secrets',
        'Requests',
        'Instance settingsAdministrators only',
        'Account settings',
        'Security',
        'UsersAdministrators only',
        'Public list',
        'Privacy',
        'Terms',
        'Sign out',
      ])
    await menu(page).getByRole('link', { name: 'Privacy' }).click()
    await heading(page, 'Privacy')
    await expect.poll(() => current(page)).toEqual(['Privacy'])
    await expect.poll(() => page.title()).toBe('Privacy · Mayfly')
    await menu(page).getByRole('link', { name: 'Public list' }).click()
    await heading(page, 'Public secrets')
    await expect.poll(() => menu(page).count()).toBe(0)

    await page.goto('/account/webhooks')
    const center = async (selector: string) => {
      const { x = 0, width = 0 } = (await page.locator(selector).boundingBox()) ?? {}
      return Math.round(x + width / 2)
    }
    await heading(page, "This page doesn't exist")
    expect(await center('main .page')).toBe(await center('footer'))

    await page.goto('/account/security?error=auth.identity_taken')
    await page.getByRole('alert').getByText('This sign-in method is connected to another account.').waitFor()
    await page.context().clearCookies({ name: 'session' })
    await page.goto('/account')
    await page.getByText('Your session has ended.').waitFor()
    await page.getByRole('link', { name: 'Sign in again' }).waitFor()
  })

  test('the account menu on a phone is a modal panel beside the prompt, which extends a session that ends soon', async () => {
    const page = await fixture.newVisitor()
    await page.setViewportSize({ width: 360, height: 800 })
    await expireSessionSoon(page, fixture, await signUp(page, fixture))
    await page.goto('/account/privacy')
    await heading(page, 'Privacy')
    await page.locator('.session-prompt').waitFor()
    await expect.poll(() => menu(page).count()).toBe(0)
    const open = page.getByRole('button', { name: 'Open account menu' })
    await open.focus()
    await page.keyboard.press('Enter')
    await menu(page).locator('a:focus').waitFor()
    for (const covered of ['main', '.session-prompt']) {
      expect(await page.locator(covered).evaluate((each: { inert: boolean }) => each.inert)).toBe(true)
    }
    await page.keyboard.press('Escape')
    await menu(page).waitFor({ state: 'hidden' })
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Open account menu')
    await page.keyboard.press('Enter')
    // On the visible part of the screen.
    await page.mouse.click(340, 400)
    await menu(page).waitFor({ state: 'hidden' })
    await open.click()
    await menu(page).getByRole('link', { name: 'Terms' }).click()
    await heading(page, 'Terms')
    await menu(page).waitFor({ state: 'hidden' })
    await open.click()
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(() => page.locator('main').evaluate((main: { inert: boolean }) => main.inert)).toBe(false)
    await menu(page).waitFor()

    await page.getByRole('dialog', { name: 'Stay signed in?' }).getByRole('button', { name: 'Update session' }).click()
    const updated = page.getByRole('dialog', { name: 'Session updated' })
    await updated.getByRole('button', { name: 'Done' }).click()
    await updated.waitFor({ state: 'detached' })
    await heading(page, 'Terms')
  })

  test('a user signs up, changes the password, creates a token, burns secrets and deletes the account', async () => {
    const page = await fixture.newVisitor()
    await page.goto('/signup?to=/account')
    await page.getByLabel('E-mail').fill('story@example.org')
    await page.getByLabel('Username').fill('story')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Hi, story')

    const other = await signInElsewhere('story', PASSWORD)
    await menu(page).getByRole('link', { name: 'Security' }).click()
    await heading(page, 'Security')
    await page.getByRole('button', { name: 'Change password' }).click()
    const current = page.locator('[name=currentPassword]')
    const { y, height } = (await page.locator('dialog[open]').boundingBox()) ?? { y: 0, height: 0 }
    expect(y + height / 2, 'the middle of the window').toBeCloseTo((page.viewportSize()?.height ?? 0) / 2, -1)
    await current.fill('not-the-password')
    await page.locator('[name=newPassword]').fill(CHANGED)
    await page.keyboard.press('Enter')
    await page.getByText('The current password is wrong.').waitFor()
    await page.locator('[name=currentPassword]:focus').waitFor()
    await current.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Updated.', { exact: true }).waitFor()
    expect(await other()).toBe(401)

    const another = await signInElsewhere('story', CHANGED)
    await page.reload()
    await page.getByRole('button', { name: 'End session: curl' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Session ended: curl.').waitFor()
    expect(await another()).toBe(401)

    // On the button itself: the ended session may move the focus a moment later.
    await page.getByRole('button', { name: 'New token' }).press('Enter')
    await page.locator('[name=name]:focus').waitFor()
    await page.keyboard.type('backup script')
    await page.keyboard.press('Enter')
    await page.getByText('backup script was created.').waitFor()
    const [token = '', command = ''] = await page.locator('.link-box').allTextContents()
    expect(token).toMatch(/^mf_/)
    expect(JSON.parse(shell(command.replace('curl ', 'curl -s ')))).toMatchObject({ username: 'story' })
    const made = shell(
      `curl -s -u "${token}:" -H 'content-type: application/json' -d '{"text":"x","ttl":3600}' ${fixture.url}/api/v1/secret`,
    )
    const { id } = JSON.parse(made)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.locator('button:focus').getByText('New token').waitFor()
    expect(await page.content()).not.toContain(token)

    await postJson(page, fixture, '/secret', { text: 'y', title: 'Wi-Fi', ttl: 3600, isPublic: true })
    await menu(page).getByRole('link', { name: 'Secrets' }).click()
    await heading(page, 'Your secrets')
    await page.getByRole('button', { name: 'Burn Wi-Fi' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').locator('button:focus').getByText('Keep it').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Wi-Fi was burned.').waitFor()
    await page
      .locator('tbody button:focus')
      .and(page.getByRole('button', { name: /^Burn (?!Wi-Fi)/ }))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('You have no secrets.').waitFor()
    expect((await fetch(`${fixture.url}/api/v1/secret/${id}/exist`)).status).toBe(404)

    await menu(page).getByRole('link', { name: 'Security' }).click()
    await page.getByRole('button', { name: 'Delete backup script' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('backup script was deleted.').waitFor()
    expect(JSON.parse(shell(command.replace('curl ', 'curl -s ')))).toMatchObject({ code: 'auth.invalid_token' })

    await menu(page).getByRole('link', { name: 'Account settings' }).click()
    await page.getByRole('button', { name: 'Delete my account…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete story?' })
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await dialog.getByText("This isn't your username.").waitFor()
    await dialog.getByLabel('Type your username').fill('story')
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.getByText('The current password is wrong.').waitFor()
    await dialog.getByLabel('Current password').fill(CHANGED)
    await page.keyboard.press('Enter')
    await page.getByText('Your account and everything in it have been deleted.').waitFor()
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual([])
    const gone = await fetch(`${fixture.url}/api/v1/authentication/signin`, signInAs('story', CHANGED))
    expect(gone.status).toBe(401)
  })

  test('new secrets and requests are listed under their title or first file, until it is removed', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    await page.goto('/')
    await page.getByLabel('Your secret').fill('x')
    await page.getByText('More options').click()
    await page.getByLabel('Title').fill('Röuter ☃')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('region', { name: 'Label' }).getByText('Röuter ☃', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create another' }).click()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'schlüssel.key', mimeType: 'text/plain', buffer: Buffer.from('é') })
    await page.getByRole('button', { name: 'Create link' }).click()
    await heading(page, 'Your link is ready')
    await clickLink(page, '/account')
    await menu(page).getByRole('link', { name: 'Secrets' }).click()
    await page.getByRole('row', { name: /schlüssel\.key.*now.*tomorrow|schlüssel\.key.*0 of 1/ }).waitFor()
    await page.getByRole('row', { name: /Röuter ☃.*0 of 1/ }).waitFor()

    await page.goto('/request')
    await page.getByLabel('What do you need?').fill('Zugang ☃')
    await page.getByRole('button', { name: 'Create request' }).click()
    await heading(page, 'Your request is ready')
    await page.getByRole('button', { name: 'Copy collect link' }).click()

    await page.goto('/request')
    await page.getByLabel('What do you need?').fill('geheim')
    await page.getByRole('button', { name: 'Create request' }).click()
    await page.getByRole('button', { name: 'Remove geheim' }).click()
    await page.getByRole('button', { name: 'Copy collect link' }).click()
    await clickLink(page, '/account')
    await menu(page).getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('row', { name: /Zugang ☃/ }).waitFor()
    await page.getByRole('button', { name: 'Close request Zugang ☃' }).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(2)
    expect(await page.getByText('geheim').count()).toBe(0)
  })

  test('a visitor leaves no label in the browser, and no page asks for a proxy session without a proxy', async () => {
    const page = await fixture.newVisitor()
    const before = fixture.requests.length
    await page.goto('/', { waitUntil: 'networkidle' })
    await page.getByLabel('Your secret').fill('x')
    await page.getByText('More options').click()
    await page.getByLabel('Title').fill('Röuter ☃')
    await page.getByRole('button', { name: 'Create link' }).click()
    await heading(page, 'Your link is ready')
    expect(await page.evaluate('Object.keys(localStorage)')).not.toContain('secret-labels')
    const asked = fixture.requests.slice(before).filter((request) => request.url().endsWith('/verify'))
    expect(asked).toEqual([])
    await page.goto('/signin?error=auth.account_exists')
    await page.getByRole('alert').getByText('An account with your e-mail address already exists.').waitFor()
    await expect.poll(() => page.title()).toBe('Error: Sign in · Mayfly')
    await page.goto('/signin?error=nothing-that-is-known')
    await page.getByRole('alert').getByText('Sign-in failed. Start again.').waitFor()
  })

  test('a form that fails because the session ended links to the sign-in page', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    await page.goto('/account/account-settings')
    await page.locator('input[type=email]').fill('new@example.org')
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.context().clearCookies({ name: 'session' })
    await page.keyboard.press('Enter')
    await page.locator('.notice').getByText('Sign in to continue.').waitFor()
    await page.locator('.notice').getByRole('link', { name: 'Sign in' }).click()
    await heading(page, 'Sign in')
    expect(page.url()).toContain(encodeURIComponent('/account/account-settings'))
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sign in' }).waitFor()
  })

  test('a user labels a secret in this browser, lowers its limits and burns it, and it is listed as ended and exported', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    const title = 'Grüße an alle, mit einem Titel, der länger ist als eine Zeile der Liste und ihre Spalten enger macht'
    await postJson(page, fixture, '/secret', { text: 'y', ttl: 86_400, isPublic: true, title })
    await postJson(page, fixture, '/secret', { text: 'y', ttl: 86_400, maxViews: 5 })
    await page.goto('/account/secrets')
    const buttons = page.getByRole('row', { name: /Grüße/ }).locator('.actions > .button')
    await buttons.first().waitFor()
    const [edit, burn] = await Promise.all((await buttons.all()).map((button) => button.boundingBox()))
    expect(burn).toBeDefined()
    expect(edit?.y).toBe(burn?.y)
    await page.getByRole('button', { name: /^Edit (?!Grüße)/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Label').fill('Röuter ☃')
    await dialog.getByLabel('Views left').fill('6')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a whole number from 1 to 5.').waitFor()
    await dialog.getByLabel('Views left').fill('2')
    await dialog.getByLabel('Expires').selectOption('3600')
    await dialog.getByLabel('Allowed IP address').fill('127.0.0.1')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changes saved.').waitFor()
    await page.getByRole('row', { name: /Röuter ☃.*2/ }).waitFor()
    const own = async () =>
      JSON.parse(await page.evaluate<string>('fetch("/api/v1/secret").then((each) => each.text())'))
    const secret = (await own()).find((each: { isPublic: boolean }) => !each.isPublic)
    expect(secret).toMatchObject({ maxViews: 2, allowedIp: '127.0.0.1' })
    expect(secret.expiresAt - Date.now()).toBeLessThan(3_601_000)
    expect(JSON.stringify(await own())).not.toContain('Röuter')

    await page.getByRole('button', { name: 'Edit Röuter ☃' }).click()
    await dialog.getByLabel('Allowed IP address').fill('10.0.0.1')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter an IP address or range.').waitFor()
    await page.keyboard.press('Escape')

    await page.reload()
    await page.getByRole('row', { name: /Röuter ☃/ }).waitFor()

    await page.getByRole('button', { name: 'Burn Röuter ☃' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Burn' }).click()
    await page.getByText('Röuter ☃ was burned.').waitFor()

    await page.getByLabel('Show').selectOption('Ended')
    await page.getByRole('row', { name: /Röuter ☃ .+ Burned .* 0 of 2/ }).waitFor()
    expect(page.url()).toBe(`${fixture.url}/account/secrets?state=ended`)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export as CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('mayfly-secrets.csv')
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(lines[1]).toMatch(/^'?[\w-]{22},burned,\S+Z,\S+Z,raw,0,2,false,0$/)

    await page.getByLabel('Show').selectOption('Expired')
    await page.getByText('No ended secrets.').waitFor()
    await page.reload()
    await page.getByText('No ended secrets.').waitFor()
    await page.getByLabel('Show').selectOption('Active')
    await page.getByRole('row', { name: /Grüße/ }).waitFor()

    // A list of ten has a search field.
    await alterResponse(page, '**/api/v1/secret/ended?*', (secrets) =>
      Array.from({ length: 10 }, (_, index) => secrets[index] ?? { ...secrets[0], id: `${index}`.padEnd(22, 'A') }),
    )
    await page.getByLabel('Show').selectOption('Ended')
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(10)
    await page.getByLabel('Search').fill('röuter')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('row', { name: /Röuter ☃/ }).waitFor()
    await page.getByLabel('Search').fill('nothing')
    await expect.poll(() => page.locator('table').count()).toBe(0)

    await page.goto('/signout')
    await heading(page, "You're signed out")
    expect(await page.evaluate('Object.keys(localStorage)')).not.toContain('secret-labels')
  })

  test('sessions show browser and system, the focus moves to the provider above, and a token with a limit is refused', async () => {
    const page = await fixture.newVisitor()
    const username = await signUp(page, fixture)
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
    await page.request.post(`${fixture.url}/api/v1/authentication/signin`, {
      headers: { origin: fixture.url, 'user-agent': userAgent },
      data: { username, password: PASSWORD },
    })
    const identities = ['Ämter', 'Club'].map((label) => ({ provider: label.toLowerCase(), label }))
    await page.route('**/api/v1/account/identities', (route) => {
      if (route.request().method() === 'GET') return route.fulfill({ json: identities })
      identities.pop()
      return route.fulfill({ status: 204 })
    })
    await page.goto('/account/security')
    const session = (name: string) => page.locator('.sessions strong').getByText(name, { exact: true }).waitFor()
    await session('Firefox on Windows')
    await page.getByRole('button', { name: 'Disconnect Club' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page
      .locator('button:focus')
      .and(page.getByRole('button', { name: 'Disconnect Ämter' }))
      .waitFor()

    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name', { exact: true }).fill('build')
    const many = page.getByLabel('Maximum number of secrets')
    await expect.poll(() => many.count()).toBe(0)
    await page.getByLabel('List your secrets').uncheck()
    await many.fill('none')
    await page.getByLabel('Maximum size in megabytes').fill('0')
    await page.keyboard.press('Enter')
    await page.locator('[name=maxSecrets][aria-invalid]:focus').waitFor()
    await expect.poll(() => page.getByText('Enter a whole number from 1 to 1,000,000.').count()).toBe(2)
    await many.fill('1')
    await page.getByLabel('Maximum size in megabytes').fill('2')
    await page.keyboard.press('Enter')
    await page.getByText('build was created.').waitFor()
    await page.getByRole('row', { name: /build Create secrets 1 secret left 2 MB left/ }).waitFor()
    const token = (await page.locator('.link-box').first().textContent()) as string
    const make = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ text: 'x', ttl: 60 })
      return (await fetch(`${fixture.url}/api/v1/secret`, { method: 'POST', headers, body })).status
    }
    expect([await make(), await make()]).toEqual([201, 403])

    await page.route('**/account/security', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'accept-language': 'ja' } }),
    )
    await page.reload()
    await session('Windows の Firefox')
  })

  const signInAs = (username: string, password: string) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: fixture.url, 'user-agent': 'curl/8.0' },
    body: JSON.stringify({ username, password }),
  })

  /** Returns a function that sends a request with that session and resolves with the status. */
  async function signInElsewhere(username: string, password: string): Promise<() => Promise<number>> {
    const response = await fetch(`${fixture.url}/api/v1/authentication/signin`, signInAs(username, password))
    const cookie = response.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    return async () => (await fetch(`${fixture.url}/api/v1/account`, { headers: { cookie } })).status
  }
})

describe('proxy authentication beside passwords', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({
      env: { MAYFLY_AUTH: 'local-auth,proxy-auth', MAYFLY_PROXY_AUTH_FROM: '127.0.0.1' },
    })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  test('users of the proxy are signed in without cookies and a password, and sign-out says that it is not enough', async () => {
    const headers = { 'remote-user': 'zoe_1', 'remote-email': 'zoe@example.org' }
    const page = await fixture.newVisitor({ extraHTTPHeaders: headers })
    await page.goto('/')
    await page.getByRole('link', { name: 'Sign out' }).first().waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Account' }).click()
    await page.getByRole('heading', { name: 'Hi, zoe_1' }).waitFor()
    await page.getByRole('link', { name: 'Account settings' }).click()
    await page.getByText('Your account has no password here').waitFor()
    await expect.poll(() => page.getByLabel('Current password').count()).toBe(0)
    await page.getByRole('link', { name: 'Security' }).click()
    await page.getByText('You sign in through your organization, so there are no sessions here.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Change password' }).count()).toBe(0)
    expect(await page.context().cookies()).toEqual([])

    // No URL for it is configured.
    await page.getByRole('link', { name: 'Sign out' }).first().click()
    await page.getByRole('heading', { name: "You're still signed in" }).waitFor()
    await page.getByText("You're still signed in at your organization. Sign out there, too.").waitFor()
    await page.context().setExtraHTTPHeaders({})
    await page.goto('/signout')
    await page.getByRole('heading', { name: "You're signed out" }).waitFor()
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()

    const asked = page.waitForResponse('**/authentication/verify')
    await page.goto('/')
    expect((await asked).status()).toBe(401)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  })
})

describe('proxy authentication without passwords', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({
      env: {
        MAYFLY_AUTH: 'proxy-auth',
        MAYFLY_PROXY_AUTH_FROM: '127.0.0.1',
        MAYFLY_PROXY_AUTH_SIGN_OUT_URL: '/lite?rd=%2F',
      },
    })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  test('no page shows a password field, and sign-in and sign-out lead to the proxy', async () => {
    const page = await fixture.newVisitor()
    for (const path of ['/signin?to=%2Fpublic', '/signup?to=%2Fpublic']) {
      await page.goto(path)
      await page.getByText('You sign in to this site through your organization.').waitFor()
      await expect.poll(() => page.locator('main input').count()).toBe(0)
      const loaded = page.waitForRequest((request) => request.isNavigationRequest())
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).last().click()
      expect(new URL((await loaded).url()).pathname).toBe('/signin')
    }
    await page.context().setExtraHTTPHeaders({ 'remote-user': 'zoe_3', 'remote-email': 'zoe3@example.org' })
    await page.goto('/')
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.waitForURL(`${fixture.url}/lite?rd=%2F`)
  })
})

const shell = (command: string): string => execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })
