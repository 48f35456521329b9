/** The first administrator, sign-up, sign-in, sign-out and the end of sessions. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expireSessionSoon, PASSWORD, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { alterResponse } from '#test/browser/page-actions'
import { needs } from '#test/needs'

const HOUR = 3_600_000

describe('sign-up and sessions', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
  const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
  const links = (page: Page) => bar(page).getByRole('link').allTextContents()

  /** A visitor who has an account and is signed in. */
  async function member(): Promise<{ page: Page; username: string }> {
    const page = await fixture.newVisitor()
    return { page, username: await signUp(page, fixture) }
  }

  /** A user whose session ends in 20 hours, as pages are told. */
  async function expiringMember() {
    const { page, username } = await member()
    await expireSessionSoon(page, fixture, username)
    return page
  }

  test('the setup code that the server printed creates the first administrator', async () => {
    const [, address = ''] = await fixture.server.printed(/"setupCode":.*"url":"([^"]+)"/)
    const page = await fixture.newVisitor()
    const create = page.getByRole('button', { name: 'Create administrator', exact: true })
    const password = page.getByLabel('Password', { exact: true })
    await page.goto('/signin')
    await page.getByRole('link', { name: 'Use the setup code' }).click()
    await heading(page, 'Set up this site')
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('code')
    await create.focus()
    await create.click()
    await page.getByText('Enter the setup code that the server printed.').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('code')
    // So that the address loads the page again.
    await page.goto('about:blank')
    await page.goto(address.replace(/^http:\/\/[^/]+/, fixture.url))
    await expect.poll(() => page.getByLabel('Setup code').inputValue()).toMatch(/^[\w-]{43}$/)
    expect(page.url()).toBe(`${fixture.url}/setup`)
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('username')
    await page.getByLabel('Username').fill('first')
    await page.getByLabel('E-mail').fill('first@example.org')
    await password.fill('short')
    await create.click()
    await page.getByText('Choose a password of 12 to 50 characters.').waitFor()
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Instance settings')
    await page.goto('/setup')
    await page.getByText('This site already has an administrator.').waitFor()
  })

  test('V7.4.4: a user signs up, signs out and signs in again', async () => {
    const page = await fixture.newVisitor()
    const username = 'newcomer'
    await page.goto('/signup')
    await page.getByLabel('E-mail').fill(`${username}@example.org`)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await heading(page, `Hi, ${username}`)
    expect(page.url()).toBe(`${fixture.url}/account`)
    await expect.poll(() => links(page)).toEqual(['Sign out', 'Account', 'Public list', 'Privacy'])
    await bar(page).getByRole('link', { name: 'Sign out' }).click()
    await heading(page, "You're signed out")
    await page.getByText('Your session has ended on this device and on the server.').waitFor()
    await expect.poll(() => links(page)).toEqual(['Sign up', 'Sign in', 'Account', 'Public list', 'Privacy'])
    // With it, attempts of strangers do not keep this user out.
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['device'])
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill('not-the-password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Wrong username or password.').waitFor()
    await expect.poll(() => page.title()).toBe('Error: Sign in · Mayfly')
    await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('not-the-password')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, `Hi, ${username}`)
    await expect.poll(() => links(page)).toContain('Sign out')
  })

  test('sign-in continues to the requested page and never to another site', async () => {
    const { page, username } = await member()
    for (const [to, path] of [
      ['/public', '/public'],
      ['//evil.example/', '/account'],
    ]) {
      await page.context().clearCookies()
      await page.goto(`/signin?to=${to}`)
      await page.getByLabel('Username').fill(username)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await bar(page).getByRole('link', { name: 'Sign out' }).first().waitFor()
      await page.waitForURL((url) => url.pathname !== '/signin')
      expect(page.url()).toBe(fixture.url + path)
    }
  })

  test('signed-in users are told so instead of a form, go on or sign out', async () => {
    const { page, username } = await member()
    await page.goto('/signup')
    await heading(page, `You're signed in as ${username}`)
    await page.goto('/signin?to=%2Fpublic')
    await heading(page, `You're signed in as ${username}`)
    await expect.poll(() => page.locator('main form').count()).toBe(0)
    await page.getByRole('link', { name: 'Continue' }).click()
    await heading(page, 'Public secrets')
    await page.goBack()
    await page.getByRole('main').getByRole('link', { name: 'Sign out' }).click()
    await heading(page, "You're signed out")
  })

  test('problems of a new account are shown once, at the fields, before a request is sent', async () => {
    const page = await fixture.newVisitor()
    await page.goto('/signup')
    await page.getByLabel('Username').fill('abc')
    await page.getByLabel('E-mail').focus()
    await page.getByText('Choose a username of 4 to 20 characters').waitFor()
    await page.keyboard.type('nonsense')
    const before = fixture.requests.length
    // At its place, with the pointer: nothing may move it away between the press and the release.
    const button = await page.getByRole('button', { name: 'Sign up' }).boundingBox()
    await page.mouse.click((button?.x ?? 0) + 20, (button?.y ?? 0) + 10)
    await page.getByText('Choose a password of 5 to 50 characters.').waitFor()
    await expect.poll(() => page.title()).toBe('Error: Create an account · Mayfly')
    await page.locator('[name=email]:focus').waitFor()
    await expect.poll(() => page.locator('.error').count()).toBe(3)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await expect.poll(() => page.locator('.error').count()).toBe(2)
    expect(fixture.requests.slice(before).filter((request) => request.method() === 'POST')).toEqual([])
  })

  test('the minimum password length follows the setting', async () => {
    const page = await fixture.newVisitor()
    await alterResponse(page, '**/api/v1/settings', (json) => ({
      ...json,
      limits: { ...json.limits, passwordMin: 12 },
    }))
    await page.goto('/signup')
    await page.getByText('12 to 50 characters.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('eleven-long')
    await page.getByLabel('E-mail').focus()
    await page.getByText('Choose a password of 12 to 50 characters.').waitFor()
  })

  test('a taken user name is reported and the form keeps its values', async () => {
    const { page, username } = await member()
    await page.context().clearCookies()
    await page.goto('/signup')
    await page.getByLabel('E-mail').fill('other@example.org')
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('This username is taken.').waitFor()
    await page.locator('[name=username]:focus').waitFor()
    await expect.poll(() => page.locator('.error, .notice.bad').count()).toBe(1)
    await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe('other@example.org')
  })

  test('V6.2.6: password fields hide their text and accept pasted text', async () => {
    const page = await fixture.newVisitor()
    for (const path of ['/signup', '/signin']) {
      await page.goto(path)
      const field = page.getByLabel('Password', { exact: true })
      expect(await field.getAttribute('type')).toBe('password')
      // True unless a listener prevents it.
      const paste = (input: { dispatchEvent(event: Event): boolean }) =>
        input.dispatchEvent(new Event('paste', { bubbles: true, cancelable: true }))
      expect(await field.evaluate(paste)).toBe(true)
    }
  })

  test('sign-out without a connection clears the cookies and the storage, and says so', async () => {
    const { page } = await member()
    await page.goto('/')
    await page.evaluate(`for (const key of ['secret-labels', 'last-options']) localStorage.setItem(key, '{}')`)
    // With a connection, the header Clear-Site-Data of the response clears the storage as well.
    await page.route('**/authentication/signout', (route) => route.abort())
    await bar(page).getByRole('link', { name: 'Sign out' }).click()
    await page.getByText("You're signed out on this device, but the server couldn't be reached.").waitFor()
    await expect.poll(() => links(page)).toContain('Sign in')
    const stored = await page.evaluate<string[]>('Object.keys(localStorage)')
    expect(stored.filter((key) => /label|options/.test(key))).toEqual([])
  })

  test('one tab extends a session that ends soon for all tabs', async () => {
    const page = await expiringMember()
    await page.goto('/')
    const prompt = (of: Page) => of.getByRole('dialog', { name: 'Stay signed in?' })
    await prompt(page).waitFor()
    const other = await page.context().newPage()
    await other.goto('/public')
    await heading(other, 'Public secrets')
    // The chunk is there: it could have asked by now.
    await other.waitForLoadState('networkidle')
    await expect.poll(() => prompt(other).count()).toBe(0)
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    await prompt(page).getByRole('button', { name: 'Update session' }).click()
    await prompt(page).waitFor({ state: 'detached' })
    await other.getByRole('link', { name: 'Sign out' }).first().waitFor()
    await expect.poll(() => prompt(other).count()).toBe(0)
  })

  test('the prompt appears when the browser refuses the lock of the tabs, and leaves the button of the page free', async () => {
    const page = await expiringMember()
    await page.addInitScript("navigator.locks.request = () => Promise.reject(new Error('ä'))")
    await page.goto('/')
    for (const [width, height] of [
      [1280, 800],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.getByRole('dialog', { name: 'Stay signed in?' }).waitFor()
      const button = page.getByRole('button', { name: 'Create link' })
      // On the phone it is below the fold.
      if (width < 500) await page.mouse.wheel(0, 10_000)
      const isFree = `(() => {
        const { left, top, width, height } = document.querySelector('button[type=submit]').getBoundingClientRect()
        return [0.02, 0.98].every((part) =>
          document.elementFromPoint(left + width / 2, top + height * part)?.closest('button[type=submit]') != null)
      })()`
      await expect.poll(() => page.evaluate(isFree), { message: `${width} px` }).toBe(true)
      await button.click({ trial: true })
    }
  })

  test('sign-in shows one message for each status', async () => {
    const page = await fixture.newVisitor()
    await page.goto('/signin')
    await page.getByLabel('Username').fill('newcomer')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    for (const [status, json, message] of [
      [403, { statusCode: 403, message: 'Your account is frozen until Monday.' }, /frozen until Monday/],
      [401, {}, /^Wrong username or password\.$/],
      [403, {}, /^The server doesn't allow this request\.$/],
    ] as const) {
      await page.route('**/authentication/signin', (route) => route.fulfill({ status, json }))
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect.poll(() => page.getByRole('alert').textContent()).toMatch(message)
      await expect.poll(() => page.locator('.notice.bad').count()).toBe(1)
      await page.unroute('**/authentication/signin')
    }
  })

  test('extending a session that ended on the server leads to the signed-out page', async () => {
    const page = await expiringMember()
    await page.context().clearCookies({ name: 'session' })
    await page.goto('/')
    await page.getByRole('button', { name: 'Update session' }).click()
    await heading(page, "You're signed out")
    await page.getByText('Your session has ended.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/signout')
  })

  // Last, because a page whose clock was replaced is not used again.
  test('after cancel the prompt returns one hour before the session ends', async () => {
    const page = await expiringMember()
    await page.clock.install()
    await page.goto('/')
    const prompt = page.getByRole('dialog', { name: 'Stay signed in?' })
    await prompt.waitFor()
    await prompt.getByRole('button', { name: 'Cancel' }).click()
    await prompt.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('link', { name: 'Sign out' }).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.clock.runFor(1000)
    await expect.poll(() => prompt.count()).toBe(0)
    await page.clock.fastForward(18 * HOUR)
    await expect.poll(() => prompt.count()).toBe(0)
    await page.clock.fastForward(1.5 * HOUR)
    await prompt.waitFor()
  })
})
