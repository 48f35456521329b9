/** Accessibility of every state of second factors outside the page Security: sign-in, proofs, device logins. */
import type { Page } from 'playwright-core'
import { signUp } from '#test/browser/accounts'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import { failWith, respondWith, submitForm, waitForDialog } from '#test/browser/page-actions'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

const PASSKEY = { challenge: 'x', rpId: 'localhost', timeout: 1, userVerification: 'required', allowCredentials: [] }
const LOGIN = {
  client: 'A program with a name as long as people make them on a laptop',
  address: '2001:db8:1234:5678:9abc:def0:1234:5678',
  createdAt: Date.now(),
  scopes: ['secrets:create', 'secrets:read', 'account'],
}

async function openSecondStep(page: Page, methods: string[]): Promise<void> {
  await respondWith(page, '**/authentication/second-factor/options', { methods, passkey: PASSKEY })
  await visit(page, '/signin/second-step?next=/account')
  await page.locator('form.card').waitFor()
}

/** Above the form for a new API token. */
async function openProof(page: Page, fixture: BrowserFixture, methods: string[]): Promise<void> {
  await signUp(page, fixture)
  await visit(page, '/account/security')
  await page.locator('main section:nth-last-of-type(2) > p > .button').click()
  await page.locator('input[name=name]').fill('backup script')
  await failWith(page, '**/api/v1/account/tokens', 403, { code: 'auth.proof_required' })
  await respondWith(page, '**/account/proof/options', { methods, passkey: null })
  await respondWith(page, '**/account/identities', [{ provider: 'company', label: 'Company login' }])
  await submitForm(page)
  await waitForDialog(page)
}

checkStates('second-factor', {
  'second step': (page) => openSecondStep(page, ['authenticator', 'passkey', 'recovery-code']),
  'second step, nothing entered': async (page) => {
    await openSecondStep(page, ['authenticator', 'recovery-code'])
    await submitForm(page)
    await page.locator('.error').waitFor()
  },
  'second step, wrong code': {
    next: async (page) => {
      await failWith(page, '**/authentication/second-factor', 403, { code: 'auth.code_wrong' })
      await page.locator('[name=authenticator]').fill('123456')
      await submitForm(page)
      await page.locator('.error').waitFor()
    },
  },
  'second step, with a passkey alone': (page) => openSecondStep(page, ['passkey', 'recovery-code']),
  'second step, recovery code': {
    next: async (page) => {
      await page.locator('form button.quiet').click()
      await page.locator('[name=recovery-code]').waitFor()
    },
  },
  // The request for a proof waits for its answer in every screen of the account.
  'proof by password': { load: (page, fixture) => openProof(page, fixture, ['password']) },
  'proof by code': { load: (page, fixture) => openProof(page, fixture, ['authenticator', 'passkey', 'recovery-code']) },
  'proof by another sign-in': {
    load: async (page, fixture) => {
      await openProof(page, fixture, ['sign-in'])
      await page.locator('dialog a.button').waitFor()
    },
  },
  'device login, code': async (page, fixture) => {
    await signUp(page, fixture)
    await visit(page, '/account/device?code=BCDF-GHJK')
    await page.locator('.error').waitFor()
  },
  'device login': async (page, fixture) => {
    await signUp(page, fixture)
    await respondWith(page, '**/api/v1/account/device?*', LOGIN)
    await visit(page, '/account/device?code=BCDF-GHJK')
    await page.locator('main .facts').waitFor()
  },
  'device login, approved': {
    next: async (page) => {
      await page.route('**/api/v1/account/device', (route) => route.fulfill({ status: 204 }))
      await page.locator('main .actions .primary').click()
      await page.locator('.page.centered').waitFor()
    },
  },
})
