/** Policies in the page: administrators edit them, and no form offers what they refuse. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addUsers, signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { pressKeyOn } from '#test/browser/keyboard'
import { needs } from '#test/needs'

const STRICT = {
  lifetimes: [
    { min: 3600, max: 3600 },
    { min: 7200, max: 7200 },
  ],
  defaultTtl: 7200,
  maxViews: 1,
  password: 'required',
  files: false,
}

describe('policies', needs('chromium'), () => {
  let fixture: BrowserFixture
  let admin: Page
  beforeAll(async () => {
    fixture = await startBrowserFixture()
    admin = await fixture.newVisitor()
    await signInAsAdmin(admin, fixture)
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  async function setPolicies(policies: Record<string, object | null>): Promise<void> {
    const changed = await admin.request.put(`${fixture.url}/api/v1/admin/policies`, {
      data: { policies },
      headers: { origin: fixture.url },
    })
    expect(changed.status()).toBe(200)
  }
  const options = (page: Page, label: string) => page.getByLabel(label).locator('option').allTextContents()

  test('administrators edit policies, and invalid values get an example', async () => {
    await admin.goto('/account/instance-settings')
    const lifetimes = admin.getByLabel('Allowed lifetimes')
    await lifetimes.fill('1 fortnight ☃')
    const save = admin.getByRole('form', { name: 'Policies' }).getByRole('button', { name: 'Save' })
    await save.click()
    await admin.getByText('Enter it in this form: ').waitFor()
    await lifetimes.fill('1h,1d..7d')
    await admin.getByLabel('Role').selectOption('Group …')
    await admin.getByLabel('Name of the group').fill('Ops ☃')
    await admin.getByLabel('Can create requests').selectOption('No')
    await save.click()
    await admin.getByText('Settings updated').waitFor()
    const { policies } = await (await admin.request.get(`${fixture.url}/api/v1/admin/policies`)).json()
    expect(policies).toEqual({
      visitors: {
        lifetimes: [
          { min: 3600, max: 3600 },
          { min: 86_400, max: 604_800 },
        ],
      },
      'group:Ops ☃': { mayRequest: false },
    })
    await setPolicies({ visitors: null, 'group:Ops ☃': null })
  })

  test('a change by another administrator is not overwritten, and what was typed stays', async () => {
    await admin.goto('/account/instance-settings')
    await admin.getByLabel('Allowed lifetimes').fill('1h')
    await setPolicies({ visitors: { maxViews: 3, password: 'required' }, users: { files: false } })
    const form = admin.getByRole('form', { name: 'Policies' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Another administrator changed these settings in the meantime.').waitFor()
    fixture.takeErrors()
    expect(await admin.getByLabel('Allowed lifetimes').inputValue()).toBe('1h')
    expect(await admin.getByLabel('Maximum views').inputValue()).toBe('3')
    await admin.getByLabel('Maximum views').fill('1')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Settings updated').waitFor()
    const { policies } = await (await admin.request.get(`${fixture.url}/api/v1/admin/policies`)).json()
    expect(policies).toEqual({
      visitors: { lifetimes: [{ min: 3600, max: 3600 }], maxViews: 1, password: 'required' },
      users: { files: false },
    })
    await setPolicies({ visitors: null, users: null })
  })

  test('leaving unsaved policies needs a confirmation, and administrators set groups in the dialog of a user', async () => {
    const username = 'grouped'
    await addUsers(admin, fixture, [username])
    await admin.goto('/account/instance-settings')
    await admin.getByLabel('Maximum views').fill('3')
    await admin.getByText('1 unsaved change').waitFor()
    await admin.getByRole('link', { name: 'Users' }).first().click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByText('Your change to the settings will be lost.').waitFor()
    await dialog.getByRole('button', { name: 'Stay' }).click()
    expect(await admin.getByLabel('Maximum views').inputValue()).toBe('3')
    await admin.getByRole('link', { name: 'Users' }).first().click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await admin.waitForURL('**/account/users')

    await admin.getByRole('button', { name: `Edit ${username}` }).click()
    await dialog.getByLabel('Groups').fill(`Ops ☃\n\n${'ä'.repeat(101)}`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter up to 20 groups of up to 100 characters each.').waitFor()
    await dialog.getByLabel('Groups').fill('Ops ☃\n\n Sales')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await admin.getByText('Groups: ').waitFor()
    const { users } = await (await admin.request.get(`${fixture.url}/api/v1/admin/users?search=${username}`)).json()
    expect(users[0].groups).toEqual(['Ops ☃', 'Sales'])
  })

  test('the form offers only what the policy allows, and says what it requires', async () => {
    await setPolicies({ visitors: STRICT })
    const page = await fixture.newVisitor()
    await page.goto('/')
    await page.getByText("Opens once. This site doesn't allow more views.").waitFor()
    expect(await options(page, 'Expires after')).toEqual(['1 hour', '2 hours'])
    expect(await page.getByLabel('Expires after').inputValue()).toBe('7200')
    expect(await page.getByLabel('Views', { exact: true }).count()).toBe(0)
    expect(await page.getByLabel('Attach files').count()).toBe(0)
    await page.getByText('More options').click()
    await page.getByLabel('Create a receipt').waitFor()
    expect(await page.getByLabel('Keep until it expires').count()).toBe(0)
    expect(await page.getByLabel('List publicly').count()).toBe(0)
    await page.getByLabel('Your secret').fill('für ☃')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page
      .locator('input[aria-invalid]:focus')
      .and(page.getByRole('textbox', { name: 'Password' }))
      .waitFor()
    await setPolicies({ visitors: null })
  })

  test('the form for a submission has the file limit of the requester, not of the visitor', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    await page.goto('/request')
    await page.getByRole('button', { name: 'Create request' }).click()
    await page.getByRole('heading', { name: 'Your request is ready' }).waitFor()
    const link = await page.locator('.link-box').first().textContent()
    // The page of a visitor from here on.
    await page.context().clearCookies()
    await setPolicies({ visitors: { maxFileBytes: 1, files: false }, users: { maxFileBytes: 1024 } })
    await page.goto(link ?? '')
    await page.getByRole('button', { name: 'Show the request' }).click()
    const attach = (bytes: number) =>
      page
        .locator('input[type=file]')
        .first()
        .setInputFiles({
          name: 'für ☃.bin',
          mimeType: 'application/octet-stream',
          buffer: Buffer.alloc(bytes, 1),
        })
    await attach(1025)
    await page.getByText('This file is larger than the limit of').waitFor()
    await page.getByRole('button', { name: /^Remove/ }).click()
    await attach(1024)
    await page.getByRole('button', { name: 'Encrypt and send' }).click()
    await page.getByRole('heading', { name: 'Sent' }).waitFor()
    await setPolicies({ visitors: null, users: null })
  })

  test('a required address is asked for, and a policy without creation closes the form', async () => {
    await setPolicies({ users: { requireAddress: true }, visitors: { mayCreate: false } })
    const page = await fixture.newVisitor()
    await page.goto('/')
    await page.getByText("The rules of this site don't allow this.").waitFor()
    await signUp(page, fixture)
    await page.goto('/')
    // Before the app has loaded this field, a click on the button cannot move the focus to it.
    await page.getByLabel('Allowed IP').waitFor()
    await page.getByLabel('Your secret').fill('für ☃')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.locator('input[aria-invalid]:focus').fill('127.0.0.1')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    await page.goto('/request')
    await page.getByLabel('Allowed IP address or range').waitFor()
    await page.getByText('Required on this site.').waitFor()
    await setPolicies({ users: null, visitors: null })
  })

  test('users set what their forms start with, a policy that changes later wins, and signing out forgets the last options', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    await page.goto('/account/account-settings')
    const form = page.getByRole('form', { name: 'Defaults for new secrets' })
    await form.getByLabel('Views').fill('many ☃')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.locator('input[aria-invalid]:focus').fill('4')
    await form.getByLabel('Expires after').selectOption('3 days')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Updated.').waitFor()
    const starts = async () => {
      const views = page.getByLabel('Views', { exact: true })
      return [await page.getByLabel('Expires after').inputValue(), await views.inputValue()]
    }
    await page.goto('/')
    await expect.poll(starts).toEqual(['259200', '4'])
    await page.goto('/lite')
    await expect.poll(() => page.locator('#views').inputValue()).toBe('4')
    await setPolicies({ users: { lifetimes: [{ min: 3600, max: 86_400 }], maxViews: 2 } })
    await page.goto('/')
    await expect.poll(starts).toEqual(['86400', '2'])
    await setPolicies({ users: null })
    const stored = () => page.evaluate<string | null>("localStorage.getItem('last-options')")
    await views(page).fill('1')
    await create(page)
    expect(await stored()).toContain('"views":1')
    await page.goto('/signout')
    await page.getByRole('heading', { name: /signed out/i }).waitFor()
    expect(await stored()).toBeNull()
  })

  const views = (page: Page) => page.getByLabel('Views', { exact: true })
  const create = async (page: Page) => {
    await page.getByLabel('Your secret').fill('für ☃')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
  }
  const limitsOf = async (page: Page) => [
    await page.getByLabel('Expires after').inputValue(),
    await views(page).inputValue(),
  ]

  test('administrators edit presets, and invalid values get an example', async () => {
    await admin.goto('/account/instance-settings')
    await admin.getByRole('heading', { name: 'Presets' }).click()
    const presets = admin.locator('details', { has: admin.getByRole('heading', { name: 'Presets' }) })
    const save = presets.getByRole('button', { name: 'Save' })
    await save.click()
    await admin.locator('input[aria-invalid]:focus').fill('Пароль ☃')
    await presets.getByLabel('Expires after').fill('a week')
    await save.click()
    await admin.locator('input[aria-invalid]:focus').fill('1000d')
    await presets.getByLabel('Views').fill('2')
    await presets.getByLabel('Password').check()
    await save.click()
    // The server knows the limit.
    await admin.locator('input[aria-invalid]:focus').fill('12h')
    await save.click()
    await presets.getByText('Settings updated').waitFor()
    const read = async () => (await (await admin.request.get(`${fixture.url}/api/v1/admin/presets`)).json()).presets
    expect(await read()).toEqual([{ name: 'Пароль ☃', ttl: 43_200, maxViews: 2, options: ['password'] }])
    await presets.locator('select').selectOption('New preset')
    await presets.getByLabel('Name of the preset').fill('пароль ☃')
    await save.click()
    await presets.getByText('Enter a name of up to 40 characters').waitFor()
    await presets.getByLabel('Name of the preset').fill('Kept')
    await presets.getByLabel('Keep until it expires').check()
    await save.click()
    await presets.getByText('Settings updated').waitFor()
    expect(await read()).toHaveLength(2)
    await presets.getByRole('button', { name: 'Delete preset' }).click()
    await expect.poll(() => presets.getByLabel('Name of the preset').inputValue()).toBe('Пароль ☃')
    expect(await read()).toHaveLength(1)
    await presets.getByRole('button', { name: 'Delete preset' }).click()
    await expect.poll(read).toEqual([])
  })

  test('a preset that another administrator changed is not overwritten, and what was typed stays', async () => {
    const url = `${fixture.url}/api/v1/admin/presets`
    const put = (...list: object[]) =>
      admin.request.put(url, { data: { presets: list }, headers: { origin: fixture.url } })
    await put({ name: 'Für ☃', ttl: 3600 })
    await admin.goto('/account/instance-settings')
    await admin.getByRole('heading', { name: 'Presets' }).click()
    const presets = admin.locator('details', { has: admin.getByRole('heading', { name: 'Presets' }) })
    const save = presets.getByRole('button', { name: 'Save' })
    await presets.getByLabel('Views').fill('3')
    const others = [{ name: 'New' }, { name: 'Für ☃', ttl: 7200, options: ['receipt'] }]
    await put(...others)
    await save.click()
    await presets.getByText('Another administrator changed these settings in the meantime.').waitFor()
    fixture.takeErrors()
    expect(await presets.getByLabel('Name of the preset').inputValue()).toBe('Für ☃')
    expect(await presets.getByLabel('Expires after').inputValue()).toBe('2h')
    expect(await presets.getByLabel('Views').inputValue()).toBe('3')
    await save.click()
    await presets.getByText('Settings updated').waitFor()
    const read = async () => (await (await admin.request.get(url)).json()).presets
    expect(await read()).toEqual([
      { name: 'New', options: [] },
      { name: 'Für ☃', ttl: 7200, maxViews: 3, options: ['receipt'] },
    ])
    // Deleted by the other one, it is a new preset of this one.
    await put()
    await presets.getByLabel('Views').fill('4')
    await save.click()
    await presets.getByText('Another administrator changed these settings in the meantime.').waitFor()
    fixture.takeErrors()
    await save.click()
    await presets.getByText('Settings updated').waitFor()
    expect(await read()).toEqual([{ name: 'Für ☃', ttl: 7200, maxViews: 4, options: ['receipt'] }])
    await put()
  })

  test('presets are chosen with the keyboard alone, and their options can still be changed', async () => {
    const presets = [
      { name: 'Пароль, one day ☃', ttl: 43_200, maxViews: 2, options: ['password', 'receipt'] },
      { name: 'Long', ttl: 604_800, options: ['preventBurn'] },
    ]
    const put = (list: object[]) =>
      admin.request.put(`${fixture.url}/api/v1/admin/presets`, {
        data: { presets: list },
        headers: { origin: fixture.url },
      })
    await put(presets)
    const page = await fixture.newVisitor()
    await page.goto('/')
    const radio = (name: string) => page.getByRole('radio', { name })
    await radio('Long').waitFor()
    expect(await radio('Default options').isChecked()).toBe(true)
    await page.getByLabel('Your secret').focus()
    await pressKeyOn(radio('Default options'), 'ArrowDown')
    await expect.poll(() => limitsOf(page)).toEqual(['43200', '2'])
    const password = page.getByRole('textbox', { name: 'Password' })
    await expect.poll(() => password.inputValue()).not.toBe('')
    await page.getByText('Create a receipt').waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => limitsOf(page)).toEqual(['604800', '1'])
    expect(await radio('Long').isChecked()).toBe(true)
    expect([await password.inputValue(), await views(page).isDisabled()]).toEqual(['', true])
    await page.keyboard.press('ArrowUp')
    await password.fill('')
    await page.getByLabel('Expires after').selectOption('1 hour')
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
    await create(page)
    await page.getByRole('button', { name: 'Receipt link', exact: true }).waitFor()
    await setPolicies({ visitors: { lifetimes: [{ min: 3600, max: 86_400 }] } })
    await page.goto('/')
    await radio(presets[0]?.name ?? '').waitFor()
    expect(await radio('Long').count()).toBe(0)
    await setPolicies({ visitors: null })
    await put([])
  })

  test('the form starts with the options of the last secret in this browser', async () => {
    const page = await fixture.newVisitor()
    await page.goto('/')
    await views(page).fill('3')
    await page.getByLabel('Expires after').selectOption('7 days')
    await page.getByText('More options').click()
    await page.getByLabel('Title').fill('Título ☃')
    await page.getByLabel('Create a receipt').check()
    await create(page)
    const stored = () => page.evaluate<string | null>("localStorage.getItem('last-options')")
    expect(JSON.parse((await stored()) ?? '')).toEqual({
      ttl: 604_800,
      views: 3,
      preventBurn: false,
      notify: false,
      receipt: true,
      isMoreOpen: true,
    })
    await page.goto('/')
    await expect.poll(() => limitsOf(page)).toEqual(['604800', '3'])
    await page.getByLabel('Create a receipt').waitFor()
    expect(await page.getByLabel('Create a receipt').isChecked()).toBe(true)
    expect(await page.getByLabel('Title').inputValue()).toBe('')
    expect(await page.getByRole('radio', { name: 'Last used options' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Default options' }).check()
    expect(await limitsOf(page)).toEqual(['86400', '1'])
    // Values that the policy no longer allows are ignored one by one, and so are values that the page did not store.
    await setPolicies({ visitors: { lifetimes: [{ min: 3600, max: 172_800 }], maxViews: 5 } })
    await page.reload()
    await expect.poll(() => limitsOf(page)).toEqual(['86400', '3'])
    await setPolicies({ visitors: null })
    // More of them: `start-values.test.tsx`.
    await page.evaluate(`localStorage.setItem('last-options', '{"ttl":"☃","views":1e9}')`)
    await page.reload()
    await page.getByLabel('Your secret').waitFor()
    await page.locator('.start').waitFor({ state: 'attached' })
    expect(await limitsOf(page)).toEqual(['86400', '1'])
    await create(page)
    expect(await stored()).toBeNull()
  })

  test('the lite page offers only what the policy allows', async () => {
    await setPolicies({ visitors: STRICT })
    const page = await fixture.newVisitor()
    await page.goto('/lite')
    await page.getByText("Opens once. This site doesn't allow more views.").waitFor()
    expect(await options(page, 'Expires')).toEqual(['1 hour', '2 hours'])
    expect(await page.locator('#password').getAttribute('required')).toBe('')
    await setPolicies({ visitors: { requireAddress: true } })
    await page.reload()
    await page.getByText("The rules of this site don't allow this.").waitFor()
    await setPolicies({ visitors: null })
  })
})
