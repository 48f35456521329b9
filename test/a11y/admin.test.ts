/** Accessibility of every state of the list of users and of the instance settings. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ADMIN, signInAsAdmin, signUp } from '#test/browser/accounts'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import {
  clickLink,
  closeDialogs,
  failWith,
  type OpenState,
  respondWith,
  waitForDialog,
} from '#test/browser/page-actions'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

const FAILED = { code: 'server.error' }
const USER = {
  role: 'user',
  generated: false,
  hasPassword: true,
  createdAt: 0,
  secrets: 0,
  emailVerified: null,
  suspendedAt: null,
  passkeys: 0,
  authenticator: false,
  graceEndsAt: null,
  signedInAt: 1_700_000_000_000,
  groups: [],
}
const ADMIN_USER = { ...USER, username: ADMIN, email: `${ADMIN}@example.org`, role: 'admin' }
const BOB = {
  ...USER,
  username: 'bob',
  email: 'bob@example.org',
  generated: true,
  secrets: 3,
  graceEndsAt: 1,
  signedInAt: null,
}
const LONG_NAME = {
  ...USER,
  suspendedAt: 1,
  groups: ['Ops ☃', 'a-group-with-a-long-name-'.repeat(4)],
  username: 'a-name-of-20-letters',
  email: `${'an-address-as-long-as-some-are'.repeat(2)}@example.org`,
}
const USERS = [ADMIN_USER, BOB, LONG_NAME]

/** The list of users. The response is always the same; only the administrator exists. */
async function openUsers(page: Page, fixture: BrowserFixture, list: object[] = USERS): Promise<void> {
  await signInAsAdmin(page, fixture)
  await respondWith(page, '**/api/v1/admin/users?*', { users: list, total: list.length && 42 })
  await visit(page, '/account/users?skip=10')
  await page.locator('main search').waitFor()
}

/** In place of the open one. `row`: of the list; `button`: 0 edit, 1 access, 2 lock-out, 3 delete. */
async function openUserDialog(page: Page, row: number, button: number): Promise<void> {
  await closeDialogs(page)
  await page.locator('tbody tr').nth(row).locator('button').nth(button).click()
  await waitForDialog(page)
}

const OVERVIEW = {
  version: '0.2.0',
  users: 1234,
  liveSecrets: 10_000,
  storage: { usedBytes: 9_000_000_000, limitBytes: 10_000_000_000 },
  failures: [
    { channel: 'a-channel-with-a-long-name', at: 1_700_000_000_000, result: `HTTP 503 ${'no-spaces'.repeat(20)}` },
  ],
  problems: [
    { level: 'warn', message: 'config: publicUrl: not https', fix: 'x', code: 'public_url_not_https', params: {} },
    { level: 'fail', message: 'a: problem', fix: 'of a newer server', code: 'unknown', params: { part: 'files' } },
  ],
}

const NO_ACCESS = { sessions: [], factors: [], tokens: [], identities: [], webhooks: [] }
const ACCESS = {
  sessions: [{ id: 's', client: 'Firefox on Windows', createdAt: 0, seenAt: Date.now() }],
  factors: [{ id: 'authenticator', kind: 'authenticator', name: '', createdAt: 0, usedAt: Date.now() }],
  tokens: [{ id: 't', name: 'A name as long as people make them '.repeat(2), createdAt: 0, usedAt: Date.now() }],
  identities: [{ id: 'i', provider: 'company', label: 'Company login', createdAt: null }],
  webhooks: [{ id: 'w', name: 'Chat', host: `${'host'.repeat(9)}.example.org`, createdAt: 0 }],
}

async function openAccess(page: Page, access: object): Promise<void> {
  await respondWith(page, '**/api/v1/admin/access?*', access)
  await openUserDialog(page, 0, 1)
  await page.locator('dialog :is(li, .muted)').first().waitFor()
}

/** Accounts with second factors, and with a time until when they need one. */
const WITH_FACTORS = [
  ADMIN_USER,
  { ...BOB, passkeys: 12, authenticator: true },
  { ...LONG_NAME, graceEndsAt: Date.now() + 3 * 86_400_000 },
  { ...BOB, username: 'carol', email: 'carol@example.org', graceEndsAt: 1 },
]

/** In the form that is open. */
async function addUser(page: Page): Promise<void> {
  await page.route('**/api/v1/admin/users', (route) => route.fulfill({ status: 201, json: BOB }))
  await page.locator('dialog input[type=radio]').first().check()
  await page.locator('dialog [name=username]').fill('bob-')
  await page.locator('dialog [name=email]').fill('bob@example.org')
  await page.locator('dialog button[type=submit]').click()
  await page.locator('dialog .link-box').waitFor()
}

/** A setting of each type. */
const PLUGIN_SETTINGS = [
  { type: 'boolean', name: 'board.is_open', value: true, label: 'Open the board', hint: 'Everyone can see it.' },
  { type: 'number', name: 'board.days', value: 7, label: 'Days', hint: 'How long a note stays.', min: 1, max: 30 },
  { type: 'choice', name: 'board.color', value: 'red', label: 'Color', hint: '', choices: ['green', 'red'] },
  { type: 'text', name: 'board.code', value: 'abc', label: '', hint: '' },
].map((each) => ({ plugin: 'board', default: each.value, choices: [], min: null, max: null, ...each }))

async function openInstanceSettings(page: Page, fixture: BrowserFixture): Promise<void> {
  await signInAsAdmin(page, fixture)
  await visit(page, '/account/instance-settings')
  await page.locator('fieldset').first().waitFor()
}

/** The form above the form of the policies. */
const submitSettings = (page: Page) => page.locator('main form').first().locator('button[type=submit]').click()

const policies = (page: Page) => page.locator('main form').last()

async function submitPolicies(page: Page): Promise<void> {
  await policies(page).locator('[name="policies.visitors.maxViews"]').fill('1')
  await policies(page).locator('button[type=submit]').click()
}

/** The screen when its first request fails. */
const failedScreen =
  (path: string, call: string): OpenState =>
  async (page, fixture) => {
    await signInAsAdmin(page, fixture)
    await failWith(page, call, 500, FAILED)
    await visit(page, path)
    await page.locator('main .notice.bad, main details').waitFor()
  }

/** The screen for a user who is not an administrator. */
const forbiddenScreen =
  (path: string): OpenState =>
  async (page, fixture) => {
    await signUp(page, fixture)
    await visit(page, path)
    await page.locator('.notice').waitFor()
  }

checkStates('admin', {
  users: async (page, fixture) => {
    await openUsers(page, fixture)
    expect(await page.locator('tbody tr').nth(1).locator('.badge').count()).toBe(1)
  },
  'users, the own one locked': {
    next: async (page) => {
      await page.locator('.locked').click({ force: true })
      await page.locator('.notice').waitFor()
    },
  },
  'users, adding': {
    next: async (page) => {
      await page.locator('.toolbar > button').click()
      await waitForDialog(page)
    },
  },
  'users, adding with problems': {
    next: async (page) => {
      await page.locator('dialog input[type=radio]').last().check()
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog .error').nth(2).waitFor()
    },
  },
  'users, added': { next: addUser },
  'users, added, link made, asking before it closes': {
    next: async (page) => {
      await page.locator('dialog .actions > button:not(.swap)').first().click()
      await page.locator('dialog .link-box').nth(1).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('dialog .notice.warn').waitFor()
    },
  },
  'users, none found': async (page, fixture) => {
    await openUsers(page, fixture, [])
    await page.locator('main p[role=status]').waitFor()
  },
  'users, editing a user': async (page, fixture) => {
    await openUsers(page, fixture)
    await openUserDialog(page, 1, 0)
  },
  'users, editing, refused': {
    next: async (page) => {
      await failWith(page, '**/api/v1/admin/users', 409, { code: 'user.email_taken', field: 'email' })
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog .error').waitFor()
    },
  },
  'users, changed': {
    next: async (page) => {
      await respondWith(page, '**/api/v1/admin/users', BOB)
      await page.locator('dialog button[type=submit]').click()
      await page.locator('.notice.good').waitFor()
    },
  },
  'users, editing the own account': { next: (page) => openUserDialog(page, 0, 0) },
  'users, editing with too many groups': {
    next: async (page) => {
      await openUserDialog(page, 2, 0)
      await page.locator('dialog [name=groups]').fill('ä\n'.repeat(21))
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog .error').waitFor()
    },
  },
  'users, access': async (page, fixture) => {
    await openUsers(page, fixture, [BOB])
    await openAccess(page, ACCESS)
  },
  'users, access, asking before one ends': {
    next: async (page) => {
      await page.locator('dialog li button').first().click()
      await page.locator('dialog dialog[open]').waitFor()
    },
  },
  'users, locking out': {
    next: async (page) => {
      await openUserDialog(page, 0, 2)
      await page.locator('dialog fieldset').first().waitFor()
    },
  },
  'users, locked out': {
    next: async (page) => {
      await respondWith(page, '**/api/v1/admin/lock-out', BOB)
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog .link-box').waitFor()
    },
  },
  'users, no access': async (page, fixture) => {
    await openUsers(page, fixture, [{ ...BOB, hasPassword: false }])
    await openAccess(page, NO_ACCESS)
    await page.locator('dialog .muted').waitFor()
  },
  'users, locking out, no way to sign in': {
    next: async (page) => {
      await openUserDialog(page, 0, 2)
      await page.locator('dialog .bullets').waitFor()
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog .error').waitFor()
    },
  },
  'users, with second factors': (page, fixture) => openUsers(page, fixture, WITH_FACTORS),
  'users, deleting a user': { next: (page) => openUserDialog(page, 2, 3) },
  'users, deleting under another name': {
    next: async (page) => {
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog .error').waitFor()
    },
  },
  'users, resetting second factors': { next: (page) => openUserDialog(page, 1, 2) },
  'users, second factors not reset': {
    next: async (page) => {
      await failWith(page, '**/api/v1/admin/factors/reset', 500, FAILED)
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog .notice.bad').waitFor()
    },
  },
  'users, asking before a role is taken': async (page, fixture) => {
    await openUsers(page, fixture, [{ ...BOB, role: 'admin' }])
    await openUserDialog(page, 0, 0)
    await page.locator('dialog select').selectOption('user')
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog dialog[open]').waitFor()
  },
  'instance settings': openInstanceSettings,
  'instance settings, asking before changes are left': {
    next: async (page) => {
      await page.locator('input[type=checkbox]').first().check()
      await clickLink(page, '/account/users')
      await waitForDialog(page)
    },
  },
  'instance settings, changed and refused': {
    next: async (page) => {
      await closeDialogs(page)
      await failWith(page, '**/api/v1/admin/settings', 500, FAILED)
      await submitSettings(page)
      await page.locator('.notice.bad').waitFor()
      await page.locator('[name=domains]').fill('alice@example.org, bob@example.com')
      await submitSettings(page)
      await page.locator('.error').waitFor()
    },
  },
  'instance settings, saved': {
    next: async (page, fixture) => {
      // Answers as the server does, but keeps the settings of the instance, which other states use.
      const stored = await (await page.request.get(`${fixture.url}/api/v1/admin/settings`)).json()
      await page.route('**/api/v1/admin/settings', (route) =>
        route.fulfill({ json: { ...stored, ...route.request().postDataJSON() } }),
      )
      await page.locator('[name=domains]').fill('')
      await submitSettings(page)
      await page.locator('.notice.good').waitFor()
    },
  },
  'instance settings, asking before users are disabled': {
    next: async (page) => {
      await page.locator('input[type=checkbox]').nth(1).check()
      await submitSettings(page)
      await waitForDialog(page)
    },
  },
  'instance settings, with failures, problems and settings of a plugin': async (page, fixture) => {
    await respondWith(page, '**/api/v1/admin/overview', OVERVIEW)
    await respondWith(page, '**/api/v1/admin/settings/plugins', PLUGIN_SETTINGS)
    await openInstanceSettings(page, fixture)
    await page.locator('[name="board.days"]').waitFor()
  },
  'instance settings, number of a plugin too high': {
    next: async (page) => {
      await page.locator('[name="board.days"]').fill('31')
      await submitSettings(page)
      await page.locator('.error').waitFor()
    },
  },
  'instance settings, policies changed by another administrator': async (page, fixture) => {
    await respondWith(page, '**/api/v1/admin/presets', {
      presets: [{ name: 'Пароль, one day ☃', ttl: 86_400, maxViews: 1, options: ['password'] }],
      version: 1,
    })
    await openInstanceSettings(page, fixture)
    await page.route('**/api/v1/admin/policies', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 409, json: { code: 'settings.changed', statusCode: 409, message: '' } })
        : route.fallback(),
    )
    await submitPolicies(page)
    await policies(page).locator('.notice.bad').waitFor()
  },
  'instance settings, policies saved': {
    next: async (page) => {
      await respondWith(page, '**/api/v1/admin/policies', { policies: { visitors: { maxViews: 1 } }, version: 1 })
      await submitPolicies(page)
      await policies(page).locator('.notice.good').waitFor()
    },
  },
  'instance settings, policies with problems': {
    next: async (page) => {
      await policies(page).locator('select').first().selectOption('')
      await policies(page).locator('input').first().fill('Vertrieb ☃')
      await policies(page).locator('input').nth(1).fill('a week')
      await policies(page).locator('button[type=submit]').click()
      await policies(page).locator('.error').waitFor()
    },
  },
  'instance settings, preset with problems': {
    next: async (page) => {
      const presets = page.locator('details.card')
      await presets.locator('summary').click()
      await presets.locator('[name="presets.0.name"]').fill('')
      await presets.locator('[name="presets.0.ttl"]').fill('a week')
      await presets.locator('button[type=submit]').click()
      await presets.locator('.error').first().waitFor()
    },
  },
  'users, not fetched': failedScreen('/account/users', '**/api/v1/admin/users?*'),
  'instance settings, not fetched': failedScreen('/account/instance-settings', '**/api/v1/admin/settings'),
  'users, for administrators': forbiddenScreen('/account/users'),
  'instance settings, for administrators': forbiddenScreen('/account/instance-settings'),
})
