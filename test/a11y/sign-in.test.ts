/** Accessibility of every state of signing in, signing up, signing out and the first set-up. */
import type { Page } from 'playwright-core'
import { expireSessionSoon, PASSWORD, signUp } from '#test/browser/accounts'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import { failWith, holdResponse, submitForm, withSettings } from '#test/browser/page-actions'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

const FAILED = { code: 'server.error' }
const COMPANY = { id: 'company', label: 'Company login', kind: 'redirect' }
const PROXY = { id: 'proxy', label: '', kind: 'header' }
const PROVIDERS = [
  { id: 'local', label: '', kind: 'password' },
  COMPANY,
  { id: 'long', label: 'A provider with a name of more than one line', kind: 'redirect' },
]

async function fillSignUpForm(page: Page): Promise<void> {
  await page.locator('[name=email]').fill('alice@example.org')
  await page.locator('[name=username]').fill('alice')
  await page.locator('[name=password]').fill(PASSWORD)
}

async function sessionEndsSoon(page: Page, fixture: BrowserFixture): Promise<void> {
  await expireSessionSoon(page, fixture, await signUp(page, fixture))
  await visit(page, '/')
  await page.locator('.session-prompt').waitFor()
}

checkStates('sign-in', {
  'signing in': async (page) => {
    await visit(page, '/signin?to=/account')
    await page.locator('[name=password]').waitFor()
  },
  'signing in, nothing entered': {
    next: async (page) => {
      await submitForm(page)
      await page.locator('.error').nth(1).waitFor()
    },
  },
  'signing in, wrong password': {
    next: async (page) => {
      await page.locator('[name=username]').fill('alice')
      await page.locator('[name=password]').fill('wrong')
      await submitForm(page)
      await page.locator('.notice.bad').waitFor()
    },
  },
  'signing in, further ways': {
    load: async (page) => {
      await withSettings(page, { providers: PROVIDERS })
      await visit(page, '/signin')
      await page.locator('a.button').nth(1).waitFor()
    },
  },
  'signing in, at a proxy alone': {
    load: async (page) => {
      await withSettings(page, { providers: [PROXY, COMPANY] })
      await visit(page, '/signin')
      await page.locator('.card .button').nth(1).waitFor()
    },
  },
  'signing in, refused at another site': async (page) => {
    await visit(page, '/signin?error=auth.account_exists')
    await page.locator('.notice.bad').waitFor()
  },
  'signing in, without users and an administrator': {
    load: async (page) => {
      await withSettings(page, { disable_users: true, signUp: false, setUp: true })
      await visit(page, '/signin')
      await page.locator('.notice').nth(1).waitFor()
    },
  },
  'signing in, already signed in': async (page, fixture) => {
    await signUp(page, fixture)
    await visit(page, '/signin')
    await page.locator('.actions').waitFor()
  },
  'signing up, with problems': async (page) => {
    await visit(page, '/signup')
    await submitForm(page)
    await page.locator('.error').nth(2).waitFor()
  },
  'signing up': { next: fillSignUpForm },
  'signing up, name taken': {
    next: async (page) => {
      await failWith(page, '**/authentication/signup', 409, { code: 'user.name_taken', field: 'username' })
      await submitForm(page)
      await page.locator('.error').waitFor()
    },
  },
  'signing up, under way': {
    next: async (page) => {
      await holdResponse(page, '**/authentication/signup')
      await submitForm(page)
      await page.locator('button[type=submit][aria-disabled=true]').waitFor()
    },
  },
  'signing up, closed': {
    load: async (page) => {
      await withSettings(page, { signUp: false, setUp: false })
      await visit(page, '/signup')
      await page.locator('.notice').waitFor()
    },
  },
  'signed out': async (page) => {
    await visit(page, '/signout')
    await page.locator('.actions').waitFor()
  },
  'session ends soon': { load: sessionEndsSoon },
  'session ends soon, not made longer': {
    next: async (page) => {
      await failWith(page, '**/authentication/refresh', 500, FAILED)
      await page.locator('.session-prompt .primary').click()
      await page.locator('.session-prompt .error').waitFor()
    },
  },
  'session ends soon, made longer': {
    next: async (page) => {
      await page.unroute('**/authentication/refresh')
      await page.locator('.session-prompt .primary').click()
      await page.locator('.session-prompt .button:not(.primary):only-child').waitFor()
    },
  },
  /** As on an instance without an administrator. */
  'set-up': {
    load: async (page) => {
      await withSettings(page, { setUp: true })
      await visit(page, '/setup')
      await page.locator('[name=code]').waitFor()
    },
  },
  'set-up, with problems': {
    next: async (page) => {
      await submitForm(page)
      await page.locator('.error').nth(3).waitFor()
    },
  },
  'set-up, wrong code': {
    next: async (page) => {
      await failWith(page, '**/authentication/setup', 403, { code: 'auth.setup_code', field: 'code' })
      await page.locator('[name=code]').fill('x')
      await page.locator('[name=username]').fill('first')
      await page.locator('[name=email]').fill('first@example.org')
      await page.locator('[name=password]').fill(PASSWORD)
      await submitForm(page)
      await page.locator('.notice.bad').waitFor()
    },
  },
  'set-up over': {
    load: async (page) => {
      await withSettings(page, { setUp: false })
      await visit(page, '/setup')
      await page.locator('.notice').waitFor()
    },
  },
})
