/** Administration: the first administrator, users, and the effect of every instance setting. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, addUsers, PASSWORD, signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { readClipboard } from '#test/browser/page-actions'
import { makeFile } from '#test/browser/test-files'
import { needs } from '#test/needs'

describe('administration', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  /** Dialogs open a moment after the click, and the list behind them has fields and buttons of the same names. */
  const inDialog = (page: Page) => page.locator('dialog[open]')
  const names = (page: Page) => page.locator('tbody th > div > bdi').allTextContents()
  const password = (page: Page) => page.getByLabel('Password', { exact: true })
  /** What has the focus: its accessible name or its text. */
  const focused = (page: Page) =>
    page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')

  async function administrator(path: string): Promise<Page> {
    const page = await fixture.newVisitor({ permissions: ['clipboard-read', 'clipboard-write'] })
    await signInAsAdmin(page, fixture)
    await page.goto(path)
    await page.locator('main form, main .notice').first().waitFor()
    return page
  }

  async function signIn(username: string, secret: string): Promise<Page> {
    const page = await fixture.newVisitor()
    await page.goto('/signin')
    await page.getByLabel('Username').fill(username)
    await password(page).fill(secret)
    await page.keyboard.press('Enter')
    return page
  }

  const save = async (page: Page) => {
    await button(page, 'Save settings').click()
    await page.getByText('Settings updated').waitFor()
  }

  /** Turns a setting on, looks at what follows, and turns it off again. */
  async function whileOn(setting: string, look: () => Promise<void>): Promise<void> {
    const page = await administrator('/account/instance-settings')
    await page.getByLabel(setting, { exact: true }).check()
    if (setting === 'Disable user sign-in') {
      await button(page, 'Save settings').click()
      await heading(page, 'Disable user sign-in?')
      await inDialog(page).getByRole('button', { name: 'Disable user sign-in' }).click()
      await page.getByText('Settings updated').waitFor()
    } else await save(page)
    try {
      await look()
    } finally {
      await page.getByLabel(setting, { exact: true }).uncheck()
      await save(page)
    }
  }

  test('the overview names problems in the language of the reader', async () => {
    const page = await fixture.newVisitor({ locale: 'de-DE' })
    await signInAsAdmin(page, fixture)
    await page.goto('/account/instance-settings')
    await page.getByText('Die öffentliche Adresse nutzt kein https.').waitFor()
    await page.context().close()
  })

  test('the setup code that the server printed creates the first administrator', async () => {
    const own = await startBrowserFixture()
    const [, address = ''] = await own.server.printed(/"setupCode":.*"url":"([^"]+)"/)
    const lost = await own.newVisitor()
    await lost.goto('/signin')
    await lost.getByRole('link', { name: 'Use the setup code' }).click()
    await heading(lost, 'Set up this site')
    await expect.poll(() => lost.evaluate('document.activeElement.name')).toBe('code')
    await button(lost, 'Create administrator').focus()
    await button(lost, 'Create administrator').click()
    await lost.getByText('Enter the setup code that the server printed.').waitFor()
    await expect.poll(() => lost.evaluate('document.activeElement.name')).toBe('code')
    const page = await own.newVisitor()
    await page.goto(address.replace(/^http:\/\/[^/]+/, own.url))
    await expect.poll(() => page.getByLabel('Setup code').inputValue()).toMatch(/^[\w-]{43}$/)
    expect(page.url()).toBe(`${own.url}/setup`)
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('username')
    await page.getByLabel('Username').fill('first')
    await page.getByLabel('E-mail').fill('first@example.org')
    await password(page).fill('short')
    await button(page, 'Create administrator').click()
    await page.getByText('Choose a password of 12 to 50 characters.').waitFor()
    await password(page).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Instance settings')
    await page.goto('/setup')
    await page.getByText('This site already has an administrator.').waitFor()
    expect(own.takeErrors()).toEqual([])
    await own.close()
  })

  test('V7.4.4: an administrator adds, edits, locks out and deletes a user, who signs in with the password from a one-time link', async () => {
    const page = await administrator('/account/users')
    await button(page, 'Add user').click()
    await page.getByLabel('Username', { exact: true }).fill('Dave')
    await page.keyboard.press('Enter')
    await page.getByText('Enter an e-mail address').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email')
    await page.keyboard.type('dave@example.org')
    await page.keyboard.press('Enter')
    await heading(page, 'dave was added')
    const made = (await page.locator('dialog .link-box').textContent()) as string
    await page.keyboard.press('Escape')
    await page.getByText("You haven't copied the password.").waitFor()
    await button(page, 'Send as one-time link').click()
    await button(page, 'Copy link').click()
    await button(page, 'Done').click()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    await expect.poll(() => focused(page)).toBe('Add user')
    await page.getByText('dave was added.').waitFor()
    await page.getByText('Initial password').waitFor()

    const dave = await fixture.newVisitor()
    await dave.goto(await readClipboard(page))
    await button(dave, 'Reveal secret').click()
    await heading(dave, 'Your account at Mayfly')
    const [, username = '', secret = ''] =
      /Username: (.*)\nPassword: (.*)$/.exec((await dave.locator('.secret').textContent()) as string) ?? []
    expect([username, secret]).toEqual(['dave', made])
    const signedIn = await signIn(username, secret)
    await signedIn.getByRole('link', { name: 'Sign out' }).first().waitFor()

    await button(page, 'Edit dave').press('Enter')
    await page.getByLabel('E-mail').fill('d@example.org')
    await inDialog(page).getByLabel('Role').selectOption('admin')
    await button(page, 'Save').click()
    await button(page, 'Keep as user').click()
    await button(page, 'Save').click()
    await button(page, 'Make administrator').click()
    await page.getByText('dave was changed.').waitFor()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    await expect.poll(() => focused(page)).toBe('Edit dave')
    await page.getByRole('row', { name: /dave Administrator d@example.org/ }).waitFor()
    await button(page, 'Edit dave').click()
    await inDialog(page).getByLabel('Role').selectOption('user')
    await button(page, 'Save').click()
    await button(page, 'Keep as administrator').click()
    await button(page, 'Save').click()
    await button(page, 'Remove as administrator').click()
    await page.getByRole('row', { name: /dave d@example.org/ }).waitFor()

    for (const isSuspended of [true, false]) {
      await button(page, 'Edit dave').click()
      await page.getByLabel('Suspend').setChecked(isSuspended)
      await button(page, 'Save').click()
      await page.getByRole('row', { name: isSuspended ? /dave .* Suspended/ : /dave .* Initial password/ }).waitFor()
      const again = await signIn(username, secret)
      await again
        .getByText(isSuspended ? 'This account is suspended.' : 'Sign out')
        .first()
        .waitFor()
    }

    await button(page, 'Lock everyone out of dave').click()
    // Without the list of what it ends, nothing is sent.
    await page.locator('dialog .bullets').waitFor()
    await page.getByLabel('Set a new password').uncheck()
    await button(page, 'Lock out everyone').click()
    await page.getByText('Everyone is locked out of dave.').waitFor()
    await signedIn.goto('/account')
    await signedIn.getByText('Your session has ended.').waitFor()

    await button(page, 'Delete dave').click()
    await page.getByLabel('Type dave to confirm').fill('bob')
    await page.keyboard.press('Enter')
    await page.getByText("This isn't dave.").waitFor()
    await page.getByLabel('Type dave to confirm').fill('dave')
    await button(page, 'Delete user').click()
    await page.getByText('dave was deleted.').waitFor()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    await expect.poll(() => focused(page)).toBe('Add user')
    await expect.poll(() => names(page)).not.toContain('dave')
    const gone = await signIn('dave', secret)
    await gone.getByText('Wrong username or password.').waitFor()
  })

  test('a typed password stays in the form after an error, and the dialog closes without confirmation', async () => {
    const page = await administrator('/account/users')
    await button(page, 'Add user').click()
    await page.getByLabel('Username', { exact: true }).fill(ADMIN)
    await page.getByLabel('E-mail').fill('typed@example.org')
    await page.getByLabel('Type a password').check()
    await password(page).fill('four')
    await inDialog(page).getByRole('button', { name: 'Add user' }).click()
    await page.getByText('Choose a password of 5 to 50 characters.').waitFor()
    await password(page).fill('{{x}} $t(y) $& Ω')
    await inDialog(page).getByRole('button', { name: 'Add user' }).click()
    await page.getByText('This username is taken.').waitFor()
    await page.getByLabel('Username', { exact: true }).fill('erin')
    await page.getByLabel('Groups').fill('x'.repeat(300))
    await inDialog(page).getByRole('button', { name: 'Add user' }).click()
    await page.locator('dialog [name=groups][aria-invalid]:focus').waitFor()
    await page.getByLabel('Groups').fill('ops\n legal team ')
    await inDialog(page).getByRole('button', { name: 'Add user' }).click()
    await heading(page, 'erin was added')
    await page.getByText(/Groups: .*legal team.*ops/).waitFor()
    await button(page, 'Send as one-time link').click()
    const link = (await page.locator('dialog .link-box').textContent()) as string
    const reader = await fixture.newVisitor()
    await reader.goto(link)
    await button(reader, 'Reveal secret').click()
    await expect.poll(() => reader.locator('.secret').textContent()).toContain('Password: {{x}} $t(y) $& Ω')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
  })

  test('search, filter and page of the user list are kept in the URL', async () => {
    const page = await administrator('/account/users')
    await addUsers(
      page,
      fixture,
      Array.from({ length: 12 }, (_, index) => `row-${String(index).padStart(2, '0')}`),
    )
    await page.getByLabel('Search users').fill('row-')
    await page.getByText('1 to 10 of 12').waitFor()
    expect(page.url()).toBe(`${fixture.url}/account/users?search=row-`)
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('11 to 12 of 12').waitFor()
    await expect.poll(() => names(page)).toEqual(['row-10', 'row-11'])
    await page.reload()
    await page.getByText('11 to 12 of 12').waitFor()
    await expect.poll(() => page.getByLabel('Search users').inputValue()).toBe('row-')
    await page.goBack()
    await page.getByText('1 to 10 of 12').waitFor()
    await page.getByLabel('Rows per page').selectOption('25')
    await page.getByText('1 to 12 of 12').waitFor()
    await page.getByLabel('Role').selectOption('admin')
    await page.getByText('No users found.').waitFor()
    await page.getByLabel('Search users').fill('')
    await expect.poll(() => names(page)).toEqual([ADMIN])
    // Beyond the end, as after a deletion elsewhere.
    await page.goto('/account/users?search=row-&skip=990')
    await page.getByText('11 to 12 of 12').waitFor()
  })

  test('the / key focuses the search, except in text fields and when it is disabled', async () => {
    const page = await administrator('/account/users')
    const search = page.getByLabel('Search users')
    await page.locator('h1').focus()
    await page.keyboard.press('/')
    await page.keyboard.type('a/b')
    await expect.poll(() => search.inputValue()).toBe('a/b')
    await button(page, 'Add user').click()
    await page.getByLabel('Username', { exact: true }).press('/')
    await expect.poll(() => page.getByLabel('Username', { exact: true }).inputValue()).toBe('/')
    await page.keyboard.press('Escape')
    await page.goto('/account/account-settings')
    await page.getByLabel('Use single keys').uncheck()
    await page.goto('/account/users')
    await search.waitFor()
    await page.locator('h1').focus()
    await page.keyboard.press('/')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.goto('/account/account-settings')
    await page.getByLabel('Use single keys').check()
    await page.goto('/account/users')
    await search.waitFor()
    await page.locator('h1').focus()
    await page.keyboard.press('/')
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
  })

  test('administrators cannot demote or delete themselves', async () => {
    const page = await administrator(`/account/users?search=${ADMIN}`)
    await button(page, `Delete ${ADMIN}`).click({ force: true })
    await page.locator('[role=status]').getByText('To delete your own account').waitFor()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    await button(page, `Edit ${ADMIN}`).click()
    await expect.poll(() => inDialog(page).getByLabel('Role').isDisabled()).toBe(true)
    await page.getByText("You can't change your own role.").waitFor()
  })

  test('users who are not administrators see a message', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    for (const path of ['/account/users', '/account/instance-settings']) {
      await page.goto(path)
      await page.getByText('Only administrators can view and change this.').waitFor()
      await expect.poll(() => page.locator('.notice').textContent()).not.toContain('can do this')
    }
  })

  test('the user list is fetched again after an error', async () => {
    const page = await fixture.newVisitor()
    await signInAsAdmin(page, fixture)
    await page.route('**/api/v1/admin/**', (route) => route.abort())
    await page.goto('/account/users')
    await page.getByText('Failed to fetch users').waitFor()
    await page.unroute('**/api/v1/admin/**')
    await button(page, 'Try again').click()
    await page.getByRole('row', { name: new RegExp(ADMIN) }).waitFor()
  })

  test('the read-only setting disables the composer of visitors', async () => {
    await whileOn('Read-only instance', async () => {
      const page = await fixture.newVisitor()
      await page.goto('/')
      await page.getByText('This site is read-only.').first().waitFor()
      await expect.poll(() => page.getByLabel('Your secret').isDisabled()).toBe(true)
    })
  })

  test('disabling users signs them out and lets only administrators sign in', async () => {
    const member = await fixture.newVisitor()
    const username = await signUp(member, fixture)
    await whileOn('Disable user sign-in', async () => {
      await member.goto('/account')
      await member.getByText('Your session has ended.').waitFor()
      const page = await signIn(username, PASSWORD)
      await page.locator('[role=alert]').getByText('Only administrators can sign in right now.').waitFor()
      await page.goto('/signup')
      await page.getByText('Only administrators can sign in right now.').waitFor()
      await expect.poll(() => page.locator('main form').count()).toBe(0)
      const boss = await signIn(ADMIN, PASSWORD)
      await boss.getByRole('link', { name: 'Sign out' }).first().waitFor()
    })
  })

  test('disabling new accounts closes the sign-up page', async () => {
    await whileOn('Disable sign-up', async () => {
      const page = await fixture.newVisitor()
      await page.goto('/signin')
      await heading(page, 'Sign in')
      await expect.poll(() => page.getByText('No account?').count()).toBe(0)
      await page.goto('/signup')
      await page.getByText('Sign-up is turned off. Ask an administrator for an account.').waitFor()
    })
  })

  test('disabling file upload refuses files', async () => {
    await whileOn('Disable file upload', async () => {
      const page = await fixture.newVisitor()
      await page.goto('/')
      await page.locator('input[type=file]').setInputFiles([makeFile('x', 1)])
      await page.locator('.attach .error').getByText('File uploads are turned off on this site.').waitFor()
    })
  })

  test('allowed e-mail domains are corrected in the form and enforced at sign-up', async () => {
    const page = await administrator('/account/instance-settings')
    const domains = page.getByLabel('Allowed e-mail domains')
    await domains.fill('alice@example.com')
    await button(page, 'Save settings').click()
    await page.getByText('Enter only the part after the @').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('domains')
    await page.getByRole('button', { name: 'Change to' }).click()
    await expect.poll(() => domains.inputValue()).toBe('example.com')
    await save(page)
    const visitor = await fixture.newVisitor()
    await visitor.goto('/signup')
    await visitor.locator('.hint').getByText('Use an e-mail address of your organization.').waitFor()
    await visitor.getByLabel('E-mail').fill('frank@example.org')
    await visitor.getByLabel('Username').fill('frank')
    await password(visitor).fill(PASSWORD)
    await visitor.keyboard.press('Enter')
    await visitor.locator('.error').getByText('Use an e-mail address of your organization').waitFor()
    await domains.fill('')
    await save(page)
    await visitor.getByRole('button', { name: 'Sign up' }).click()
    await heading(visitor, 'Hi, frank')
  })

  test('a saved setting applies without a reload', async () => {
    const page = await administrator('/account/instance-settings')
    await page.getByLabel('Disable file upload').check()
    await save(page)
    await page.getByRole('link', { name: 'Mayfly home' }).click()
    await page.locator('input[type=file]').setInputFiles([makeFile('x', 1)])
    await page.locator('.attach .error').waitFor()
    await page.goto('/account/instance-settings')
    await page.getByLabel('Disable file upload').uncheck()
    await save(page)
  })

  test('the save button says why it does nothing until a setting is changed', async () => {
    const page = await administrator('/account/instance-settings')
    const [hint, saveButton] = [page.getByText('Change a setting to save it.'), button(page, 'Save settings')]
    await hint.waitFor()
    expect(await saveButton.getAttribute('aria-describedby')).toBe(await hint.getAttribute('id'))
    await page.getByLabel('Read-only instance').check()
    await expect.poll(() => hint.count()).toBe(0)
    expect(await saveButton.getAttribute('aria-disabled')).toBe('false')
    await button(page, 'Discard changes').click()
    await hint.waitFor()
  })

  test('leaving with unsaved settings asks for confirmation', async () => {
    const page = await administrator('/account/instance-settings')
    await page.getByLabel('Read-only instance').check()
    await page.getByLabel('Disable sign-up').check()
    await page.getByText('2 unsaved changes').waitFor()
    await page.getByLabel('Disable sign-up').uncheck()
    await page.getByText('1 unsaved change', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Users' }).click()
    await heading(page, 'Leave without saving?')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByLabel('Read-only instance').isChecked()).toBe(true)
    await page.getByRole('link', { name: 'Users' }).click()
    await button(page, 'Leave').click()
    await heading(page, 'Users')
    await page.goBack()
    await heading(page, 'Instance settings')
    await expect.poll(() => page.getByLabel('Read-only instance').isChecked()).toBe(false)
    await page.getByLabel('Read-only instance').check()
    await button(page, 'Discard changes').click()
    await expect.poll(() => page.getByLabel('Read-only instance').isChecked()).toBe(false)
    await page.getByRole('link', { name: 'Users' }).click()
    await heading(page, 'Users')
  })

  test('settings stay in the form when saving fails', async () => {
    const page = await administrator('/account/instance-settings')
    await page.route('**/api/v1/admin/settings', (route) => route.abort())
    await page.getByLabel('Read-only instance').check()
    await button(page, 'Save settings').click()
    await page.getByText('Failed to update settings').waitFor()
    await expect.poll(() => page.getByLabel('Read-only instance').isChecked()).toBe(true)
    await page.getByText('1 unsaved change', { exact: true }).waitFor()
  })
})
