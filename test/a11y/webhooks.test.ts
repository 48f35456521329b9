/** Accessibility of every state of the webhooks of the account. */
import type { Page } from 'playwright-core'
import { signUp } from '#test/browser/accounts'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import {
  failWith,
  respondWith,
  submitForm,
  waitForDialog,
  waitForHeading,
  withSettings,
} from '#test/browser/page-actions'
import { checkStates } from './check-states.js'

const PATH = '/account/webhooks'
const API = '**/api/v1/account/webhooks'
const DAY = 24 * 60 * 60_000
const WEBHOOK = {
  id: '0'.repeat(32),
  name: 'Chat',
  url: 'https://hooks.example.org/mayfly',
  events: ['secret.viewed', 'request.submitted'],
  createdAt: 0,
  state: 'working',
  failingSince: null,
  previousSecretUntil: null,
}
const FAILED = {
  ...WEBHOOK,
  id: '1'.repeat(32),
  name: 'A name that is as long as the server takes it, and not any longer',
  url: `https://hooks.example.org/${'a-path-without-any-place-to-break/'.repeat(8)}`,
  events: [],
  state: 'failed',
  failingSince: Date.now() - 4 * DAY,
}
const CREATED = { ...WEBHOOK, secret: `whsec_${'A'.repeat(43)}=`, previousSecretUntil: Date.now() + DAY }
const DELIVERIES = ['delivered', 'pending', 'dead'].map((state, index) => ({
  id: `evt_${index}`,
  type: ['secret.viewed', 'request.submitted', 'secret.password_wrong'][index],
  subject: 'secret:AAAAAAAAAAAAAAAAAAAAAA',
  state,
  attempts: index,
  result: [`HTTP 204`, null, 'HTTP 503'][index],
  createdAt: Date.now() - index * DAY,
  nextAt: null,
  endedAt: null,
}))

async function openList(page: Page, fixture: BrowserFixture, webhooks: object[] = [WEBHOOK, FAILED]): Promise<void> {
  await withSettings(page, { webhooks: true })
  await respondWith(page, API, webhooks)
  await signUp(page, fixture)
  await page.goto(PATH)
  await waitForHeading(page)
}

async function openForm(page: Page, fixture: BrowserFixture): Promise<void> {
  await openList(page, fixture, [])
  await page.locator('main p > button').click()
  await page.locator('input[name=name]').waitFor()
}

/** A dialog of the first webhook; `button`: which of the actions. */
async function askAbout(page: Page, fixture: BrowserFixture, button: 'rotate' | 'delete'): Promise<void> {
  await openList(page, fixture)
  await page
    .locator('main section')
    .first()
    .locator('.actions:not(.end) > button')
    .nth(button === 'rotate' ? 1 : 2)
    .click()
  await waitForDialog(page)
}

async function ping(page: Page, fixture: BrowserFixture, json: object): Promise<void> {
  await openList(page, fixture)
  await respondWith(page, `${API}/*/ping`, json)
  await page.locator('main section').first().locator('.actions > button').first().click()
  await page.locator('[role=status] .notice').waitFor()
}

async function openLog(page: Page, fixture: BrowserFixture, deliveries: object[]): Promise<void> {
  await withSettings(page, { webhooks: true })
  await respondWith(page, API, [WEBHOOK])
  await respondWith(page, `${API}/*/deliveries?*`, deliveries)
  await signUp(page, fixture)
  await page.goto(`${PATH}/${WEBHOOK.id}`)
  await waitForHeading(page)
}

checkStates('webhooks', {
  'webhooks, none': (page, fixture) => openList(page, fixture, []),
  webhooks: openList,
  'webhooks, form with errors': async (page, fixture) => {
    await openForm(page, fixture)
    await submitForm(page)
    await page.locator('input[name=url]').fill('http://intranet')
    await submitForm(page)
    await page.locator('[aria-invalid]').first().waitFor()
  },
  'webhooks, too many': async (page, fixture) => {
    await openForm(page, fixture)
    await page.locator('input[name=name]').fill('Chat')
    await page.locator('input[name=url]').fill('https://hooks.example.org')
    await failWith(page, API, 409, { code: 'webhook.limit_reached' })
    await submitForm(page)
    await page.locator('.notice.bad').waitFor()
  },
  'webhooks, new signing secret': async (page, fixture) => {
    await askAbout(page, fixture, 'rotate')
    await respondWith(page, `${API}/*/secret`, CREATED)
    await page.locator('dialog[open] .primary').click()
    await page.locator('.notice.good').waitFor()
  },
  'webhooks, test accepted': (page, fixture) => ping(page, fixture, { delivered: true, result: 'HTTP 204' }),
  'webhooks, test not accepted': (page, fixture) => ping(page, fixture, { delivered: false, result: 'unreachable' }),
  'webhooks, one to be deleted': (page, fixture) => askAbout(page, fixture, 'delete'),
  'webhooks, one not deleted': async (page, fixture) => {
    await askAbout(page, fixture, 'delete')
    await failWith(page, `${API}/*`, 404, { code: 'webhook.not_found' })
    await page.locator('dialog[open] .danger').click()
    await page.locator('.notice.bad').waitFor()
  },
  'webhooks, not fetched': async (page, fixture) => {
    await signUp(page, fixture)
    await failWith(page, API, 500, { code: 'server.error' })
    await page.goto(PATH)
    await page.locator('main .notice.bad, main details').waitFor()
  },
  'deliveries, none': (page, fixture) => openLog(page, fixture, []),
  deliveries: (page, fixture) => openLog(page, fixture, DELIVERIES),
  'deliveries, one queued again': async (page, fixture) => {
    await openLog(page, fixture, DELIVERIES)
    await page.route(`${API}/*/deliveries/*/redelivery`, (route) => route.fulfill({ status: 204 }))
    await page.locator('tbody button').first().click()
    await page.locator('[role=status]:not(:empty)').waitFor()
  },
})
