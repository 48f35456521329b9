/** Accessibility of every state of signing in, signing up, signing out and the first set-up. */
import type { Page } from 'playwright-core'
import { expireSessionSoon, PASSWORD, signUp } from '#test/browser/accounts'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import { failWith, holdResponse, submitForm, withSettings } from '#test/browser/page-actions'
import { checkStates } from './check-states.js'

const FAILED = { code: 'server.error' }
const COMPANY = { id: 'company', label: 'Company login', kind: 'redirect' }
const PROXY = { id: 'proxy', label: '', kind: 'header' }
const PROVIDERS = [
  { id: 'local', label: '', kind: 'password' },
  COMPANY,
  { id: 'long', label: 'A provider with a name of more than one line', kind: 'redirect' },
]

async function signUpForm(page: Page): Promise<void> {
  await page.goto('/signup')
  await page.locator('[name=email]').fill('alice@example.org')
  await page.locator('[name=username]').fill('alice')
  await page.locator('[name=password]').fill(PASSWORD)
}

async function sessionEndsSoon(page: Page, fixture: BrowserFixture): Promise<void> {
  await expireSessionSoon(page, fixture, await signUp(page, fixture))
  await page.goto('/')
  await page.locator('.session-prompt').waitFor()
}

/** As on an instance without an administrator. */
async function openSetUp(page: Page): Promise<void> {
  await withSettings(page, { setUp: true })
  await page.goto('/setup')
  await page.locator('[name=code]').waitFor()
}

checkStates('sign-in', {
  'signing in': async (page) => {
    await page.goto('/signin?to=/account')
    await page.locator('[name=password]').waitFor()
  },
  'signing in, further ways': async (page) => {
    await withSettings(page, { providers: PROVIDERS })
    await page.goto('/signin')
    await page.locator('a.button').nth(1).waitFor()
  },
  'signing in, at a proxy alone': async (page) => {
    await withSettings(page, { providers: [PROXY, COMPANY] })
    await page.goto('/signin')
    await page.locator('.card .button').nth(1).waitFor()
  },
  'signing in, nothing entered': async (page) => {
    await page.goto('/signin')
    await submitForm(page)
    await page.locator('.error').nth(1).waitFor()
  },
  'signing in, wrong password': async (page) => {
    await page.goto('/signin')
    await page.locator('[name=username]').fill('alice')
    await page.locator('[name=password]').fill('wrong')
    await submitForm(page)
    await page.locator('.notice.bad').waitFor()
  },
  'signing in, refused at another site': async (page) => {
    await page.goto('/signin?error=auth.account_exists')
    await page.locator('.notice.bad').waitFor()
  },
  'signing in, without users and an administrator': async (page) => {
    await withSettings(page, { disable_users: true, signUp: false, setUp: true })
    await page.goto('/signin')
    await page.locator('.notice').nth(1).waitFor()
  },
  'signing in, already signed in': async (page, fixture) => {
    await signUp(page, fixture)
    await page.goto('/signin')
    await page.locator('.actions').waitFor()
  },
  'signing up': signUpForm,
  'signing up, with problems': async (page) => {
    await page.goto('/signup')
    await submitForm(page)
    await page.locator('.error').nth(2).waitFor()
  },
  'signing up, name taken': async (page) => {
    await failWith(page, '**/authentication/signup', 409, { code: 'user.name_taken', field: 'username' })
    await signUpForm(page)
    await submitForm(page)
    await page.locator('.error').waitFor()
  },
  'signing up, under way': async (page) => {
    await holdResponse(page, '**/authentication/signup')
    await signUpForm(page)
    await submitForm(page)
    await page.locator('button[type=submit][aria-disabled=true]').waitFor()
  },
  'signing up, closed': async (page) => {
    await withSettings(page, { signUp: false, setUp: false })
    await page.goto('/signup')
    await page.locator('.notice').waitFor()
  },
  'signed out': async (page) => {
    await page.goto('/signout')
    await page.locator('.actions').waitFor()
  },
  'session ends soon': sessionEndsSoon,
  'session ends soon, made longer': async (page, fixture) => {
    await sessionEndsSoon(page, fixture)
    await page.locator('.session-prompt .primary').click()
    await page.locator('.session-prompt .button:not(.primary):only-child').waitFor()
  },
  'session ends soon, not made longer': async (page, fixture) => {
    await sessionEndsSoon(page, fixture)
    await failWith(page, '**/authentication/refresh', 500, FAILED)
    await page.locator('.session-prompt .primary').click()
    await page.locator('.session-prompt .error').waitFor()
  },
  'set-up': openSetUp,
  'set-up, with problems': async (page) => {
    await openSetUp(page)
    await submitForm(page)
    await page.locator('.error').nth(3).waitFor()
  },
  'set-up, wrong code': async (page) => {
    await openSetUp(page)
    await failWith(page, '**/authentication/setup', 403, { code: 'auth.setup_code', field: 'code' })
    await page.locator('[name=code]').fill('x')
    await page.locator('[name=username]').fill('first')
    await page.locator('[name=email]').fill('first@example.org')
    await page.locator('[name=password]').fill(PASSWORD)
    await submitForm(page)
    await page.locator('.notice.bad').waitFor()
  },
  'set-up over': async (page) => {
    await withSettings(page, { setUp: false })
    await page.goto('/setup')
    await page.locator('.notice').waitFor()
  },
})
