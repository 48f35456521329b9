/** Accessibility of every state of creating, answering and collecting a secret request. */
import type { Page } from 'playwright-core'
import { signUp } from '#test/browser/accounts'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import {
  alterResponse,
  failWith,
  holdResponse,
  respondWith,
  submitForm,
  waitForDialog,
  waitForHeading,
  withSettings,
} from '#test/browser/page-actions'
import { closeTestRequest, createTestRequest, submitText } from '#test/browser/requests'
import { attachFiles, MB, makeFile } from '#test/browser/test-files'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

const FAILED = { code: 'server.error' }
const LOST = { code: 'secret_request.not_found' }

const OWN_REQUESTS = Array.from({ length: 51 }, (_, index) => ({
  id: `${index}`.padStart(22, 'A'),
  createdAt: Date.now() - index * 3_600_000,
  expiresAt: Date.now() + (index + 1) * 3_600_000,
  submissions: index % 3,
  unopened: index % 2,
  maxSubmissions: 2,
  allowFiles: true,
}))

/** Opens either link, and clicks the button that loads the request. */
async function openRequestPage(page: Page, link: string): Promise<void> {
  await visit(page, link)
  await page.locator('main form button[type=submit]').click()
}

async function openCreateForm(page: Page, fixture: BrowserFixture): Promise<void> {
  await signUp(page, fixture)
  await visit(page, '/request')
  await page.locator('[name=title]').waitFor()
}

async function createRequest(page: Page, fixture: BrowserFixture): Promise<void> {
  await openCreateForm(page, fixture)
  await page.locator('[name=title]').fill('Password of the database')
  await submitForm(page)
  await page.locator('.link-box').nth(1).waitFor()
}

async function keepCollectLink(page: Page, fixture: BrowserFixture): Promise<void> {
  await createRequest(page, fixture)
  await page.locator('[role=status] + .actions button').click()
  await page.locator('[role=status] + .actions a').waitFor()
}

async function openAnswerForm(
  page: Page,
  fixture: BrowserFixture,
  options: Parameters<typeof createTestRequest>[1] = {},
) {
  const request = await createTestRequest(fixture, options)
  await openRequestPage(page, request.requestLink)
  await page.locator('form textarea').waitFor()
  return request
}

async function openList(page: Page, fixture: BrowserFixture, submissions = 2) {
  const request = await createTestRequest(fixture, { maxSubmissions: 3 })
  for (let index = 0; index < submissions; index++) await submitText(fixture, request)
  await openRequestPage(page, request.collectLink)
  await page.locator('.between > .danger').waitFor()
  return request
}

async function openOwnRequests(page: Page, fixture: BrowserFixture): Promise<void> {
  await signUp(page, fixture)
  await respondWith(page, '**/api/v1/account/requests?*', OWN_REQUESTS.slice(0, 3))
  await visit(page, '/account/requests')
  await page.locator('tbody .badge.strong').first().waitFor()
  // In the menu, which the phone hides.
  await page.locator('.panel a[aria-current] .badge').waitFor({ state: 'attached' })
}

checkStates('requests', {
  'request, form': openCreateForm,
  'request, not created': {
    next: async (page) => {
      await failWith(page, '**/api/v1/request', 500, FAILED)
      await submitForm(page)
      await page.locator('.notice.bad').waitFor()
    },
  },
  'request, instructions too long': {
    next: async (page) => {
      await page.locator('textarea').fill('x'.repeat(9000))
      await submitForm(page)
      await page.locator('.error').waitFor()
    },
  },
  'request, form wrong': {
    next: async (page) => {
      await page.locator('textarea').fill('')
      await page.locator('[name=submissions]').fill('none')
      await page.locator('summary').click()
      await page.locator('[name=megabytes]').fill('-1')
      await page.locator('[name=allowedIp]').fill('home')
      await submitForm(page)
      await page.locator('.error').nth(2).waitFor()
    },
  },
  'request, read-only': {
    load: async (page, fixture) => {
      await withSettings(page, { read_only: true })
      await signUp(page, fixture)
      await visit(page, '/request')
      await page.locator('.notice').waitFor()
    },
  },
  'request, sign-in needed': {
    load: async (page) => {
      await withSettings(page, { requests: false })
      await visit(page, '/request')
      await waitForHeading(page)
    },
  },
  'request, turned off': {
    load: async (page, fixture) => {
      await withSettings(page, { requests: false })
      await signUp(page, fixture)
      await visit(page, '/request')
      await waitForHeading(page)
    },
  },
  'request, created': createRequest,
  'request, created, with QR code': {
    next: async (page) => {
      await page.locator('.segments button').last().click()
      await page.locator('.qr > svg').waitFor()
    },
  },
  'request, created, left without the collect link': {
    next: async (page) => {
      await page.locator('.logo').click()
      await waitForDialog(page)
    },
  },
  'request, created, collect link kept': keepCollectLink,
  'own requests, with a kept collect link': {
    next: async (page) => {
      await visit(page, '/account/requests')
      await page.locator('td a').waitFor()
    },
  },
  'collect, kept link to be removed': {
    next: async (page) => {
      await page.locator('td a').click()
      await page.locator('main form button[type=submit]').click()
      await page.locator('.between > button:nth-of-type(2)').click()
      await waitForDialog(page)
    },
  },
  'request, created, collect link not kept': {
    load: async (page, fixture) => {
      await createRequest(page, fixture)
      await page.evaluate('IDBFactory.prototype.open = () => { throw new Error("blocked") }')
      await page.locator('[role=status] + .actions button').click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  'answer, closed': async (page, fixture) => {
    await visit(page, (await createTestRequest(fixture, { maxSubmissions: 2 })).requestLink)
    await page.locator('main form').waitFor()
  },
  'answer, form': {
    next: async (page) => {
      await submitForm(page)
      await page.locator('form textarea').waitFor()
    },
  },
  'answer, nothing written': {
    next: async (page) => {
      await submitForm(page)
      await page.locator('.error').waitFor()
    },
  },
  'answer, sent': {
    next: async (page) => {
      await page.locator('textarea').fill('x')
      await submitForm(page)
      await page.locator('form').waitFor({ state: 'detached' })
    },
  },
  'answer, being opened': async (page, fixture) => {
    await holdResponse(page, '**/api/v1/request/*/open')
    await openRequestPage(page, (await createTestRequest(fixture)).requestLink)
    await page.locator('button[aria-disabled=true]').waitFor()
  },
  'answer, too many requests': async (page, fixture) => {
    await failWith(page, '**/api/v1/request/*/open', 429, { code: 'limit.reached', retryAfter: 893 })
    await openRequestPage(page, (await createTestRequest(fixture)).requestLink)
    await page.locator('.notice.bad').waitFor()
  },
  'answer, link cut off': async (page, fixture) => {
    await visit(page, (await createTestRequest(fixture)).requestLink.slice(0, -2))
    await waitForHeading(page)
  },
  'answer, request gone': async (page, fixture) => {
    const request = await createTestRequest(fixture)
    await closeTestRequest(fixture, request)
    await openRequestPage(page, request.requestLink)
    await page.locator('form').waitFor({ state: 'detached' })
  },
  'answer, recipient exchanged': async (page, fixture) => {
    const { body } = await createTestRequest(fixture)
    await alterResponse(page, '**/api/v1/request/*/open', (json) => ({ ...json, recipient: body.recipient }))
    await openRequestPage(page, (await createTestRequest(fixture)).requestLink)
    await page.locator('form').waitFor({ state: 'detached' })
  },
  'answer, text only, with limits': async (page, fixture) => {
    await openAnswerForm(page, fixture, { allowFiles: false, maxBytes: 5000, maxSubmissions: 4 })
    await page.locator('textarea').fill('x'.repeat(6000))
    await submitForm(page)
    await page.locator('.error').waitFor()
  },
  'answer, with files, being sent': async (page, fixture) => {
    await openAnswerForm(page, fixture)
    await attachFiles(page, [makeFile('server.key', 3000), makeFile('dump.sql.gz', 9 * MB)])
    await holdResponse(page, '**/api/v1/files/*/*')
    await submitForm(page)
    await page.locator('progress').first().waitFor()
  },
  'answer, not sent, request closed meanwhile': async (page, fixture) => {
    await openAnswerForm(page, fixture)
    await failWith(page, '**/submission', 404, LOST)
    await page.locator('textarea').fill('x')
    await submitForm(page)
    await page.locator('.notice.bad').waitFor()
  },
  'collect, closed': async (page, fixture) => {
    await visit(page, (await createTestRequest(fixture)).collectLink)
    await page.locator('main form').waitFor()
  },
  'collect, nothing yet': {
    next: async (page) => {
      await submitForm(page)
      await page.locator('.between > .danger').waitFor()
    },
  },
  'collect, link cut off': async (page, fixture) => {
    await visit(page, (await createTestRequest(fixture)).collectLink.slice(0, -2))
    await waitForHeading(page)
  },
  'collect, server failed': async (page, fixture) => {
    await failWith(page, '**/api/v1/request/*/collect', 500, FAILED)
    await openRequestPage(page, (await createTestRequest(fixture)).collectLink)
    await page.locator('.notice.bad').waitFor()
  },
  'collect, request gone': async (page, fixture) => {
    const request = await createTestRequest(fixture)
    await closeTestRequest(fixture, request)
    await openRequestPage(page, request.collectLink)
    await page.locator('form').waitFor({ state: 'detached' })
  },
  'collect, submissions': (page, fixture) => openList(page, fixture),
  'collect, one to be burned': {
    next: async (page) => {
      await page.locator('tbody .danger').first().click()
      await waitForDialog(page)
    },
  },
  'collect, one burned': {
    next: async (page) => {
      await page.locator('dialog[open] .danger').click()
      await page.locator('.status').filter({ hasText: /./ }).waitFor()
    },
  },
  'collect, request to be closed': {
    next: async (page) => {
      await page.locator('.between > .danger').click()
      await waitForDialog(page)
    },
  },
  'collect, request closed': {
    next: async (page) => {
      await page.locator('dialog[open] .danger').click()
      await page.locator('table').waitFor({ state: 'detached' })
    },
  },
  'collect, title changed': async (page, fixture) => {
    await alterResponse(page, '**/api/v1/request/*/collect', (json) => ({ ...json, note: 'x' }))
    await openList(page, fixture)
    await page.locator('.notice.bad').waitFor()
  },
  'collect, one opened': async (page, fixture) => {
    await openList(page, fixture)
    await page.locator('tbody .button').first().click()
    await page.locator('.secret').waitFor()
  },
  'collect, one opened, back in the list': {
    next: async (page) => {
      await page.locator('main p.actions .button').click()
      await page.locator('table').waitFor()
    },
  },
  'collect, connection lost while opening': async (page, fixture) => {
    await openList(page, fixture)
    await page.route('**/api/v1/secret/*', (route) => route.abort())
    await page.locator('tbody .button').first().click()
    await page.locator('.notice.warn').waitFor()
  },
  'collect, one tampered with': async (page, fixture) => {
    const request = await createTestRequest(fixture, { maxSubmissions: 2 })
    await submitText(fixture, request, 'x', { requestId: 'AAAAAAAAAAAAAAAAAAAAAA' })
    await submitText(fixture, request)
    await openRequestPage(page, request.collectLink)
    await page.locator('tbody .button').first().click()
    await page.locator('.notice.bad').waitFor()
  },
  'collect, one repeated': async (page, fixture) => {
    const request = await createTestRequest(fixture, { maxSubmissions: 2 })
    await submitText(fixture, request, undefined, { copies: 2 })
    await openRequestPage(page, request.collectLink)
    await page.locator('tbody .button').first().click()
    await page.locator('main p.actions .button').click()
    await page.locator('tbody tr').last().locator('.button').first().click()
    await page.locator('.notice.warn').first().waitFor()
  },
  'own requests, none': async (page, fixture) => {
    await signUp(page, fixture)
    await visit(page, '/account/requests')
    await page.locator('.card').waitFor()
  },
  'own requests': openOwnRequests,
  'own requests, one to be closed': {
    next: async (page) => {
      await page.locator('tbody .danger').first().click()
      await waitForDialog(page)
    },
  },
  'own requests, one not closed': {
    next: async (page) => {
      await failWith(page, '**/api/v1/request/*', 500, FAILED)
      await page.locator('dialog[open] .danger').click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  'own requests, with pages': async (page, fixture) => {
    await signUp(page, fixture)
    await respondWith(page, '**/api/v1/account/requests?*', OWN_REQUESTS)
    await visit(page, '/account/requests?skip=50')
    await page.locator('nav.actions a').nth(1).waitFor()
  },
})
