/** Accessibility of every state of the page Security. */
import type { Page } from 'playwright-core'
import { PASSWORD, postJson, signUp } from '#test/browser/accounts'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import {
  alterResponse,
  closeDialogs,
  failWith,
  holdResponse,
  respondWith,
  submitForm,
  waitForDialog,
  withSettings,
} from '#test/browser/page-actions'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

const FAILED = { code: 'server.error' }
const COMPANY = { id: 'company', label: 'Company login', kind: 'redirect' }

/** Of the first card with a button beside its heading. */
const PASSWORD_BUTTON = 'main section > .between > h2 + .button'
/** The last sections of the page. */
const FORGET = 'main section:nth-last-of-type(3) .between > .button'
const TOKENS = 'main section:nth-last-of-type(2)'
const LOCK_OUT = 'main section:last-of-type'

/** With two more sessions. */
async function openSecurity(page: Page, fixture: BrowserFixture): Promise<void> {
  const username = await signUp(page, fixture)
  for (const _ of [1, 2]) {
    const headers = { origin: fixture.url, 'content-type': 'application/json', 'user-agent': 'Firefox/1 Windows' }
    const body = JSON.stringify({ username, password: PASSWORD })
    await fetch(`${fixture.url}/api/v1/authentication/signin`, { method: 'POST', headers, body })
  }
  await visit(page, '/account/security')
  await page.locator('.sessions').first().waitFor()
}

/** With a token. */
async function openLockOut(page: Page, fixture: BrowserFixture): Promise<void> {
  await openSecurity(page, fixture)
  await postJson(page, fixture, '/account/tokens', { name: 'backup script' })
  await page.locator(`${LOCK_OUT} > p > .button`).click()
  await page.locator('dialog[open] .bullets').waitFor()
}

/** With a connected and an unconnected provider. */
async function openConnections(page: Page, fixture: BrowserFixture): Promise<void> {
  await withSettings(page, { providers: [COMPANY, { ...COMPANY, id: 'club', label: 'Club' }] })
  await respondWith(page, '**/api/v1/account/identities', [{ provider: 'club', label: 'Club' }])
  await openSecurity(page, fixture)
}

const FACTORS = {
  passkeys: ['Phone', 'A name that is as long as the server takes them, and not a letter more'].map((name, index) => ({
    id: `${index}`.padStart(22, 'A'),
    name,
    createdAt: 0,
    usedAt: [null, Date.now() - 7_200_000][index],
    backedUp: index === 0,
  })),
  authenticator: { createdAt: 0, usedAt: Date.now() - 3_600_000 },
  recoveryCodes: 7,
  policy: 'optional',
  graceEndsAt: null,
}
const NO_FACTORS = { ...FACTORS, passkeys: [], authenticator: null, recoveryCodes: 0 }

async function openFactors(page: Page, fixture: BrowserFixture): Promise<void> {
  await respondWith(page, '**/api/v1/account/factors', FACTORS)
  await openSecurity(page, fixture)
}

checkStates('security', {
  'security, factors': openFactors,
  'security, passkey to be removed': {
    next: async (page) => {
      await page.locator('#passkeys li .danger').first().click()
      await waitForDialog(page)
    },
  },
  'security, passkey not removed': {
    next: async (page) => {
      await failWith(page, '**/api/v1/account/factors/passkeys', 409, { code: 'auth.last_factor' })
      await page.locator('dialog[open] .danger').click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  'security, factor required': async (page, fixture) => {
    const inFiveDays = Date.now() + 5 * 86_400_000
    const factors = { ...NO_FACTORS, policy: 'required', graceEndsAt: inFiveDays }
    await respondWith(page, '**/api/v1/account/factors', factors)
    await openSecurity(page, fixture)
  },
  'security, factor overdue': async (page, fixture) => {
    const factors = { ...NO_FACTORS, policy: 'required', graceEndsAt: 1 }
    await respondWith(page, '**/api/v1/account/factors', factors)
    await failWith(page, '**/api/v1/account/sessions', 403, { code: 'auth.factor_enrolment_required' })
    await signUp(page, fixture)
    await visit(page, '/account/security')
    await page.locator('.notice.warn').waitFor()
  },
  'security, passkey to be renamed': async (page, fixture) => {
    await openFactors(page, fixture)
    await page.locator('#passkeys li .button').first().click()
    await page.locator('dialog[open] input').fill('')
    await page.locator('dialog[open] .primary').click()
    await page.locator('dialog[open] .error').waitFor()
  },
  'security, passkey not added': {
    next: async (page) => {
      await closeDialogs(page)
      await failWith(page, '**/api/v1/account/factors/passkeys/options', 500, FAILED)
      await page.locator('#passkeys > p > .button').click()
      await page.locator('dialog[open] .primary').click()
      await page.locator('dialog[open] .notice.bad').waitFor()
    },
  },
  'security, recovery codes': {
    next: async (page) => {
      await closeDialogs(page)
      const recoveryCodes = Array.from({ length: 10 }, (_, index) => `a${index}bc-defg-hjkm-npqr`)
      await respondWith(page, '**/api/v1/account/factors/recovery-codes', { recoveryCodes })
      await page.locator('#recovery-codes .button').first().click()
      await page.locator('dialog[open] .primary').click()
      await page.locator('dialog[open] .recovery-codes').waitFor()
    },
  },
  'security, recovery codes not saved': {
    next: async (page) => {
      await page.keyboard.press('Escape')
      await page.locator('dialog[open] .notice').waitFor()
    },
  },
  'security, passkey to be added': async (page, fixture) => {
    await openSecurity(page, fixture)
    await page.locator('#introduction .primary').click()
    await waitForDialog(page)
  },
  'security, authenticator app set up': {
    next: async (page) => {
      await closeDialogs(page)
      await page.locator('#introduction .button').nth(1).click()
      await page.locator('dialog[open] svg[role=img]').waitFor()
    },
  },
  'security, authenticator app with a wrong code': {
    next: async (page) => {
      await page.locator('dialog[open] input').fill('1')
      await page.locator('dialog[open] .primary').click()
      await page.locator('dialog[open] .error').waitFor()
    },
  },
  'security, authenticator app loading': {
    next: async (page) => {
      await closeDialogs(page)
      await holdResponse(page, '**/api/v1/account/factors/authenticator/options')
      await page.locator('#introduction .button').nth(1).click()
      await page.locator('dialog[open] .spinner').waitFor()
    },
  },
  'security, password to be changed': {
    next: async (page) => {
      await closeDialogs(page)
      await page.locator(PASSWORD_BUTTON).first().click()
      await page.locator('[name=newPassword]').waitFor()
    },
  },
  'security, password wrong': {
    next: async (page) => {
      await page.locator('[name=newPassword]').fill('four')
      await page.locator('dialog[open] button[type=submit]').click()
      await page.locator('dialog[open] .error').nth(1).waitFor()
    },
  },
  security: openSecurity,
  'security, known devices forgotten': {
    next: async (page) => {
      await page.locator(FORGET).click()
      await page.locator('.status').filter({ hasText: /./ }).waitFor()
    },
  },
  'security, known devices not forgotten': {
    next: async (page) => {
      await failWith(page, '**/api/v1/account/devices', 500, FAILED)
      await page.locator(FORGET).click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  'security, locking out, not loaded': {
    next: async (page) => {
      await failWith(page, '**/api/v1/account/access', 500, { code: 'internal' })
      await page.locator(`${LOCK_OUT} > p > .button`).click()
      await page.locator('dialog[open] .notice.bad').waitFor()
    },
  },
  'security, locking out, loading': {
    next: async (page) => {
      await closeDialogs(page)
      await holdResponse(page, '**/api/v1/account/access')
      await page.locator(`${LOCK_OUT} > p > .button`).click()
      await page.locator('dialog[open] .spinner').waitFor()
    },
  },
  'security, tokens': async (page, fixture) => {
    await signUp(page, fixture)
    for (const name of ['backup script', 'a name that is as long as the server takes them, and not more'])
      await postJson(page, fixture, '/account/tokens', { name, maxSecrets: 3, allowedIp: '10.0.0.0/8' })
    await visit(page, '/account/security')
    await page.locator('table').waitFor()
  },
  'security, token to be deleted': {
    next: async (page) => {
      await page.locator('tbody .danger').first().click()
      await waitForDialog(page)
    },
  },
  'security, token not deleted': {
    next: async (page) => {
      await failWith(page, '**/api/v1/account/tokens', 500, FAILED)
      await page.locator('dialog[open] .danger').click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  'security, password changed, session ended': async (page, fixture) => {
    await openSecurity(page, fixture)
    await page.locator('.sessions button').first().click()
    await page.locator('.status').filter({ hasText: /./ }).waitFor()
    await page.locator(PASSWORD_BUTTON).first().click()
    await page.locator('[name=currentPassword]').fill(PASSWORD)
    await page.locator('[name=newPassword]').fill(`${PASSWORD}!`)
    await page.locator('dialog[open] button[type=submit]').click()
    await page.locator('.status').nth(1).filter({ hasText: /./ }).waitFor()
  },
  'security, token asked': async (page, fixture) => {
    await signUp(page, fixture)
    await visit(page, '/account/security')
    await page.locator(`${TOKENS} > p > .button`).click()
    await page.locator('input[type=checkbox]').first().uncheck()
    await page.locator('input[type=checkbox]').nth(1).uncheck()
    await submitForm(page)
    await page.locator('input[name=name]').fill('build')
    await submitForm(page)
    await page.locator('fieldset .error').waitFor()
  },
  'security, token asked, limits wrong': {
    next: async (page) => {
      await page.locator('input[type=checkbox]').first().check()
      await page.locator('input[name=maxSecrets]').fill('none')
      await submitForm(page)
      await page.locator('input[name=maxSecrets][aria-invalid]').waitFor()
    },
  },
  'security, token made': {
    next: async (page) => {
      await page.locator('input[name=maxSecrets]').fill('3')
      await submitForm(page)
      await page.locator('.link-box').first().waitFor()
    },
  },
  'security, session not ended': async (page, fixture) => {
    await openSecurity(page, fixture)
    await failWith(page, '**/api/v1/account/sessions', 500, FAILED)
    await page.locator('.sessions button').first().click()
    await page.locator('.notice.bad').waitFor()
  },
  'security, password elsewhere': {
    load: async (page, fixture) => {
      await alterResponse(page, '**/api/v1/account', ({ user }) => ({ user: { ...user, hasPassword: false } }))
      await openConnections(page, fixture)
    },
  },
  'security, last way in not disconnected': {
    load: async (page, fixture) => {
      await openConnections(page, fixture)
      await failWith(page, '**/api/v1/account/identities', 409, { code: 'auth.last_way' })
      await page.locator('.sessions').first().locator('button').first().click()
      await page.locator('dialog[open] .danger').click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  'security, connection refused': {
    load: async (page, fixture) => {
      await openConnections(page, fixture)
      await failWith(page, '**/api/v1/authentication/company/connect', 503, { code: 'auth.unavailable' })
      await page.locator('.sessions ~ .actions > button').first().click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  'security, locking out, refused': async (page, fixture) => {
    await openLockOut(page, fixture)
    await page.locator('dialog[open] button[type=submit]').click()
    await page.locator('dialog[open] .error').first().waitFor()
  },
  'security, locked out': {
    next: async (page) => {
      await page.locator('dialog[open] [name=currentPassword]').fill(PASSWORD)
      await page.locator('dialog[open] [name=newPassword]').fill(`${PASSWORD}!`)
      await page.locator('dialog[open] button[type=submit]').click()
      await page.locator('main .notice.good').waitFor()
    },
  },
  'security, locking out without a password': async (page, fixture) => {
    await alterResponse(page, '**/api/v1/account', ({ user }) => ({ user: { ...user, hasPassword: false } }))
    const identities = [{ id: 'i', provider: 'club', label: 'Club', createdAt: 0 }]
    const factors = [
      { id: 'p', kind: 'passkey', name: 'Phone', createdAt: 0, usedAt: null },
      { id: 'recovery-codes', kind: 'recovery-codes', name: '', createdAt: null, usedAt: null },
    ]
    await alterResponse(page, '**/api/v1/account/access', (access) => ({ ...access, identities, factors }))
    await openLockOut(page, fixture)
    await page.locator('dialog[open] button[type=submit]').click()
    await page.locator('dialog[open] .error').waitFor()
  },
  'security, not fetched': async (page, fixture) => {
    await signUp(page, fixture)
    await failWith(page, '**/api/v1/account/sessions', 500, FAILED)
    await visit(page, '/account/security')
    await page.locator('main details').waitFor()
  },
})
