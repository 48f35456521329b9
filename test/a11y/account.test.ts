/** Accessibility of every state of the account area. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { PASSWORD, postJson, signUp } from '#test/browser/accounts'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import {
  alterResponse,
  clickLink,
  closeDialogs,
  failWith,
  holdResponse,
  type OpenState,
  respondWith,
  waitForDialog,
  waitForHeading,
  withSettings,
} from '#test/browser/page-actions'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

const FAILED = { code: 'server.error' }

async function openOwnSecrets(page: Page, fixture: BrowserFixture): Promise<void> {
  await signUp(page, fixture)
  const own = { text: 'text', ttl: 86_400 }
  await postJson(page, fixture, '/secret', { ...own, password: 'amber', preventBurn: true })
  await postJson(page, fixture, '/secret', { ...own, title: 'Wi-Fi for the office', isPublic: true, maxViews: 40 })
  await visit(page, '/account/secrets')
  await page.locator('table').waitFor()
}

/** One more than a page holds, with every option. */
const OWN_SECRETS = Array.from({ length: 51 }, (_, index) => ({
  id: `${index}`.padStart(22, 'A'),
  title: [null, 'A title that is as long as people make them without a limit '.repeat(2)][index % 2],
  kind: 'sealed',
  createdAt: 0,
  expiresAt: Date.now() + (index + 1) * 3_600_000,
  maxViews: [1, 9999, null][index % 3],
  passwordRequired: index % 2 === 0,
  files: index % 4,
  isPublic: index % 3 === 0,
  preventBurn: index % 5 === 0,
  views: index % 2,
  allowedIp: index % 2 === 0 ? '2001:db8::/32' : null,
  recipientViews: index % 3 === 0 ? [1, 0, 9999] : [],
  receipt: index % 2 === 0 ? { viewedAt: Date.now() - 7_200_000, wrongPasswords: 3, refusedAddresses: 1 } : null,
}))

/** One more than a page holds, with every end. */
const ENDED_SECRETS = Array.from({ length: 51 }, (_, index) => ({
  id: `${index}`.padStart(22, 'A'),
  kind: ['sealed', 'public'][index % 2],
  state: ['used-up', 'burned', 'expired'][index % 3],
  createdAt: 0,
  endedAt: Date.now() - (index + 1) * 3_600_000,
  views: [1, 9999, 0][index % 3],
  maxViews: [1, 9999, null][index % 3],
  passwordRequired: index % 2 === 0,
  files: index % 4,
}))

async function openAccountSettings(page: Page, fixture: BrowserFixture): Promise<void> {
  await signUp(page, fixture)
  await visit(page, '/account/account-settings')
  await page.locator('[name=email]').waitFor()
}

async function openNotificationSettings(page: Page, fixture: BrowserFixture): Promise<void> {
  await withSettings(page, { notifications: true, emailVerification: true })
  await openAccountSettings(page, fixture)
}

/** The screen when its first request fails. */
const failedScreen =
  (path: string, call: string): OpenState =>
  async (page, fixture) => {
    await signUp(page, fixture)
    await failWith(page, call, 500, FAILED)
    await visit(page, path)
    await page.locator('main .notice.bad, main details').waitFor()
  }

checkStates('account', {
  account: async (page, fixture) => {
    await signUp(page, fixture)
    await visit(page, '/account')
    await waitForHeading(page)
  },
  'account, another screen on its way': {
    next: async (page) => {
      await holdResponse(page, '**/api/v1/secret?*')
      await clickLink(page, '/account/secrets')
      await page.locator('.pending').waitFor()
    },
  },
  'account, address not confirmed': {
    load: async (page, fixture) => {
      await withSettings(page, { emailVerification: true })
      await respondWith(page, '**/api/v1/account/verification', {})
      await signUp(page, fixture)
      await visit(page, '/account')
      await page.locator('.notice .button').click()
      await page.locator('.notice [role=status]:not(:empty)').waitFor()
    },
  },
  'account, password by an administrator': async (page, fixture) => {
    await signUp(page, fixture)
    await alterResponse(page, '**/api/v1/account', ({ user }) => ({
      user: { ...user, role: 'admin', generated: true },
    }))
    await visit(page, '/account')
    await page.locator('.notice').waitFor()
  },
  'own secrets, none': async (page, fixture) => {
    await signUp(page, fixture)
    await visit(page, '/account/secrets')
    await page.locator('.card').waitFor()
  },
  'own secrets': openOwnSecrets,
  'own secrets, one to be burned': {
    next: async (page) => {
      await page.locator('tbody .danger').first().click()
      await waitForDialog(page)
    },
  },
  'own secrets, one burned': {
    next: async (page) => {
      await page.locator('dialog[open] .danger').click()
      await page.locator('.status').filter({ hasText: /./ }).waitFor()
    },
  },
  'own secrets, ended': {
    next: async (page) => {
      await page.locator('main search select').selectOption('ended')
      await page.locator('main a[download]').first().waitFor()
    },
  },
  'own secrets, with pages': async (page, fixture) => {
    await signUp(page, fixture)
    await respondWith(page, '**/api/v1/secret?*', OWN_SECRETS)
    await visit(page, '/account/secrets?skip=50')
    await page.locator('nav.actions a').nth(1).waitFor()
  },
  'own secrets, details': async (page, fixture) => {
    await signUp(page, fixture)
    await respondWith(page, '**/api/v1/secret?*', OWN_SECRETS)
    await visit(page, '/account/secrets')
    await page.locator('tbody th button').first().click()
    await page.locator('dialog[open] dt').nth(6).waitFor()
  },
  'own secrets, some found': {
    next: async (page) => {
      await closeDialogs(page)
      await page.locator('main input[type=search]').fill('a TITLE')
      await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
    },
  },
  'own secrets, nothing found': {
    next: async (page) => {
      await page.locator('main input[type=search]').fill('zzz')
      await page.locator('main search [role=status]:not(:empty)').waitFor()
    },
  },
  'own secrets, ended, none': async (page, fixture) => {
    await signUp(page, fixture)
    await visit(page, '/account/secrets?state=burned')
    await page.locator('.card').waitFor()
  },
  'own secrets, ended, with pages': async (page, fixture) => {
    await signUp(page, fixture)
    await respondWith(page, '**/api/v1/secret/ended?*', ENDED_SECRETS)
    await visit(page, '/account/secrets?state=ended&skip=50')
    await page.locator('nav.actions a').nth(1).waitFor()
  },
  'own secrets, one not burned': async (page, fixture) => {
    await openOwnSecrets(page, fixture)
    await failWith(page, '**/burn', 500, FAILED)
    await page.locator('tbody .danger').first().click()
    await page.locator('dialog[open] .danger').click()
    await page.locator('.notice.bad').waitFor()
  },
  'own secrets, one edited': {
    next: async (page) => {
      await closeDialogs(page)
      await page.locator('tbody .actions > .button:not(.danger)').first().click()
      await waitForDialog(page)
    },
  },
  'own secrets, one edited with a wrong number': {
    next: async (page) => {
      await page.locator('dialog[open] input[name=maxViews]').fill('0')
      await page.locator('dialog[open] button[type=submit]').click()
      await page.locator('dialog[open] [aria-invalid]').waitFor()
    },
  },
  'account settings': openAccountSettings,
  'account settings, refused': {
    next: async (page) => {
      await page.locator('[name=email]').fill('other@example.org')
      await page.locator('[name=currentPassword]').fill('not-the-password')
      await page.locator('main button[type=submit]').first().click()
      await page.locator('.error').waitFor()
    },
  },
  'account settings, updated': {
    next: async (page) => {
      await page.locator('[name=currentPassword]').fill(PASSWORD)
      await page.locator('main button[type=submit]').first().click()
      await page.locator('.status').filter({ hasText: /./ }).waitFor()
    },
  },
  'account settings, notifications': { load: openNotificationSettings },
  'account settings, wrong': async (page, fixture) => {
    await openAccountSettings(page, fixture)
    await page.locator('[name=email]').fill('four')
    await page.locator('main button[type=submit]').first().click()
    await page.locator('.error').first().waitFor()
  },
  'account settings, defaults refused': {
    next: async (page) => {
      await page.locator('[name=views]').fill('many')
      await page.locator('form:has([name=views]) button[type=submit]').click()
      await page.locator('form:has([name=views]) .error').waitFor()
    },
  },
  'account settings, defaults saved': {
    next: async (page) => {
      await page.locator('[name=views]').fill('3')
      await page.locator('form:has([name=views]) button[type=submit]').click()
      await page.locator('.status').filter({ hasText: /./ }).waitFor()
    },
  },
  'account settings, account to be deleted': {
    next: async (page) => {
      await page.locator('main .card > p > .danger').last().click()
      await page.locator('dialog[open] .danger').click()
      await page.locator('dialog[open] .error').waitFor()
    },
  },
  'account settings, password elsewhere': async (page, fixture) => {
    await alterResponse(page, '**/api/v1/account', ({ user }) => ({ user: { ...user, hasPassword: false } }))
    await openAccountSettings(page, fixture)
  },
  'account, menu open': async (page, fixture) => {
    await signUp(page, fixture)
    await visit(page, '/account/terms')
    await page.locator('.prose').waitFor()
    await page.locator('.side-button button').click()
    await page.locator('.panel a:focus').waitFor()
  },
  'account, privacy': async (page, fixture) => {
    await signUp(page, fixture)
    await visit(page, '/account/privacy')
    await page.locator('.prose').waitFor()
  },
  'account, not fetched': failedScreen('/account', '**/api/v1/account/usage'),
  'own secrets, not fetched': failedScreen('/account/secrets', '**/api/v1/secret?*'),
})
