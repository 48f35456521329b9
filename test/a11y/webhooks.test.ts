/** Accessibility of every state of the webhooks of the account. */
import type { Page } from 'playwright-core'
import { signUp } from '#test/browser/accounts'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import {
  closeDialogs,
  failWith,
  respondWith,
  submitForm,
  waitForDialog,
  withSettings,
} from '#test/browser/page-actions'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

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
  result: [`HTTP 204`, null, 'unreachable'][index],
  createdAt: Date.now() - index * DAY,
  nextAt: null,
  endedAt: null,
}))

async function openList(page: Page, fixture: BrowserFixture, webhooks: object[] = [WEBHOOK, FAILED]): Promise<void> {
  await withSettings(page, { webhooks: true })
  await respondWith(page, API, webhooks)
  await signUp(page, fixture)
  await visit(page, PATH)
  await page.locator('#main h1').waitFor()
}

/** Clicks one of the actions of the first webhook: 0 ping, 1 rotate, 2 delete. */
const act = (page: Page, action: number) =>
  page.locator('main section').first().locator('.actions:not(.end) > button').nth(action).click()

async function ping(page: Page, json: { delivered: boolean; result: string }): Promise<void> {
  await respondWith(page, `${API}/*/ping`, json)
  await act(page, 0)
  await page.locator(`[role=status] .notice.${json.delivered ? 'good' : 'bad'}`).waitFor()
}

async function openLog(page: Page, fixture: BrowserFixture, deliveries: object[]): Promise<void> {
  await withSettings(page, { webhooks: true })
  await respondWith(page, API, [WEBHOOK])
  await respondWith(page, `${API}/*/deliveries?*`, deliveries)
  await signUp(page, fixture)
  await visit(page, `${PATH}/${WEBHOOK.id}`)
  await page.locator('#main h1').waitFor()
}

checkStates('webhooks', {
  'webhooks, none': { load: (page, fixture) => openList(page, fixture, []) },
  'webhooks, form with errors': {
    next: async (page) => {
      await page.locator('main p > button').click()
      await page.locator('input[name=name]').waitFor()
      await submitForm(page)
      await page.locator('input[name=url]').fill('http://intranet')
      await submitForm(page)
      await page.locator('[aria-invalid]').first().waitFor()
    },
  },
  'webhooks, too many': {
    next: async (page) => {
      await page.locator('input[name=name]').fill('Chat')
      await page.locator('input[name=url]').fill('https://hooks.example.org')
      await failWith(page, API, 409, { code: 'webhook.limit_reached' })
      await submitForm(page)
      await page.locator('.notice.bad').waitFor()
    },
  },
  webhooks: { load: openList },
  'webhooks, test accepted': { next: (page) => ping(page, { delivered: true, result: 'HTTP 204' }) },
  'webhooks, test not accepted': { next: (page) => ping(page, { delivered: false, result: 'unreachable' }) },
  'webhooks, one to be deleted': {
    next: async (page) => {
      await act(page, 2)
      await waitForDialog(page)
    },
  },
  'webhooks, one not deleted': {
    next: async (page) => {
      await failWith(page, `${API}/*`, 404, { code: 'webhook.not_found' })
      await page.locator('dialog[open] .danger').click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  'webhooks, new signing secret': {
    next: async (page) => {
      await closeDialogs(page)
      await act(page, 1)
      await respondWith(page, `${API}/*/secret`, CREATED)
      await page.locator('dialog[open] .primary').click()
      await page.locator('.notice.good').waitFor()
    },
  },
  'webhooks, not fetched': async (page, fixture) => {
    await signUp(page, fixture)
    await failWith(page, API, 500, { code: 'server.error' })
    await visit(page, PATH)
    await page.locator('main .notice.bad, main details').waitFor()
  },
  'deliveries, none': { load: (page, fixture) => openLog(page, fixture, []) },
  deliveries: { load: (page, fixture) => openLog(page, fixture, DELIVERIES) },
  'deliveries, one queued again': {
    next: async (page) => {
      await page.route(`${API}/*/deliveries/*/redelivery`, (route) => route.fulfill({ status: 204 }))
      await page.locator('tbody button').first().click()
      await page.locator('[role=status]:not(:empty)').waitFor()
    },
  },
})
