/** Accessibility of every state of opening a secret. */
import type { Page } from 'playwright-core'
import { formatReceiptLink } from '#shared/receipt-link'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import {
  alterResponse,
  failWith,
  holdResponse,
  respondWith,
  submitForm,
  waitForDialog,
  waitForHeading,
} from '#test/browser/page-actions'
import { client, createPublicSecret, createRawSecret, createSecret } from '#test/browser/secrets'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

const RECEIPT_PATH = formatReceiptLink({ base: '', token: 'A'.repeat(43) })

async function openLink(
  page: Page,
  fixture: BrowserFixture,
  draft: Parameters<typeof createSecret>[1] = {},
): Promise<void> {
  await visit(page, (await createSecret(fixture, draft)).link)
  await page.locator('form').waitFor()
}

async function revealSecret(
  page: Page,
  fixture: BrowserFixture,
  draft: Parameters<typeof createSecret>[1] = {},
): Promise<void> {
  await openLink(page, fixture, draft)
  await submitForm(page)
  await page.locator('.secret').waitFor()
}

/** A secret with named recipients. The server has no mail. */
async function openForRecipients(page: Page, fixture: BrowserFixture): Promise<void> {
  const { id, link } = await createSecret(fixture)
  await alterResponse(page, `**/api/v1/secret/${id}/exist`, (json) => ({ ...json, codeRequired: true }))
  await visit(page, link)
  await page.locator('input[type=email]').waitFor()
}

const RECEIPT = {
  state: 'waiting',
  createdAt: Date.UTC(2026, 0, 1),
  expiresAt: Date.UTC(2126, 0, 1),
  endedAt: null,
  keptUntil: null,
  views: 0,
  maxViews: 3,
  viewedAt: null,
  viewList: [],
  wrongPasswords: 0,
  wrongPasswordAt: null,
  refusedAddresses: 0,
  refusedAddressAt: null,
}

/** A receipt that the server returns like this. */
async function openReceipt(page: Page, differing: object): Promise<void> {
  await respondWith(page, '**/api/v1/receipt', { ...RECEIPT, ...differing })
  await visit(page, RECEIPT_PATH)
  await page.locator('.facts').waitFor()
}

const READERS = ['192.0.2.0/24', '2001:db8:1234::/48', null].map((network, index) => ({
  at: Date.UTC(2026, 0, index + 2),
  recipient: null,
  network,
  browser: network && 'Firefox',
}))

checkStates('reveal', {
  'receipt, waiting': (page) => openReceipt(page, {}),
  'receipt, opened, with readers, refusals and wrong passwords': (page) =>
    openReceipt(page, {
      state: 'opened',
      views: 3,
      maxViews: null,
      viewedAt: READERS[2]?.at,
      viewList: READERS,
      wrongPasswords: 12,
      wrongPasswordAt: READERS[0]?.at,
      refusedAddresses: 3,
      refusedAddressAt: READERS[1]?.at,
    }),
  'receipt, opened by named recipients': (page) =>
    openReceipt(page, {
      state: 'opened',
      views: 3,
      viewedAt: READERS[2]?.at,
      viewList: READERS.map((reader, index) => ({ ...reader, recipient: index + 1 })),
    }),
  'receipt, expired unread': (page) =>
    openReceipt(page, { state: 'expired', endedAt: Date.UTC(2026, 1, 1), keptUntil: Date.UTC(2026, 2, 1) }),
  'receipt, gone': async (page) => {
    await failWith(page, '**/api/v1/receipt', 404, {
      statusCode: 404,
      code: 'receipt.not_found',
      error: 'x',
      message: 'x',
    })
    await visit(page, RECEIPT_PATH)
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
  'receipt, server failed': async (page) => {
    await failWith(page, '**/api/v1/receipt', 500, { statusCode: 500, code: 'server.error', error: 'x', message: 'x' })
    await visit(page, RECEIPT_PATH)
    await page.locator('.notice.bad').waitFor()
  },
  'receipt, link cut off': async (page) => {
    await visit(page, RECEIPT_PATH.slice(0, -2))
    await waitForHeading(page)
  },
  'secret, closed': (page, fixture) => openLink(page, fixture),
  'secret, being opened': {
    next: async (page) => {
      await holdResponse(page, '**/api/v1/secret/*')
      await submitForm(page)
      await page.locator('button[type=submit][aria-disabled=true]').waitFor()
    },
  },
  'secret, being looked for': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await holdResponse(page, `**/api/v1/secret/${id}/exist`)
    await visit(page, link)
    await waitForHeading(page)
  },
  'secret, several views': (page, fixture) => openLink(page, fixture, { maxViews: 3 }),
  'secret, kept until it expires': (page, fixture) => openLink(page, fixture, { preventBurn: true }),
  'secret, public': async (page, fixture) => {
    const { id } = await createPublicSecret(fixture, 'Wi-Fi for the office')
    await visit(page, `/secret/${id}`)
    await page.locator('form').waitFor()
  },
  'secret, key asked': async (page, fixture) => {
    await visit(page, (await createSecret(fixture)).link.replace(/#.*/, ''))
    await page.locator('form input').waitFor()
  },
  'secret, key incomplete': {
    next: async (page) => {
      await page.locator('form input').fill('1abc')
      await submitForm(page)
      await page.locator('.error').waitFor()
    },
  },
  'secret, key and password asked': async (page, fixture) => {
    const { link, fragment } = await createSecret(fixture, { password: 'x' })
    await visit(page, link.replace(/#.*/, ''))
    await page.locator('form input').fill(fragment)
    await submitForm(page)
    await page.locator('input[type=password]').waitFor()
  },
  'secret, password asked': (page, fixture) => openLink(page, fixture, { password: 'x' }),
  'secret, password wrong': async (page, fixture) => {
    const { id } = await createRawSecret(fixture, 'text', 'right')
    await visit(page, `/secret/${id}`)
    await page.locator('input[type=password]').fill('wrong')
    await submitForm(page)
    await page.locator('.error').waitFor()
  },
  'secret, locked': {
    next: async (page) => {
      await failWith(page, '**/api/v1/secret/*', 423, { code: 'secret.locked', retryAfter: 893 })
      await page.locator('input[type=password]').fill('wrong')
      await submitForm(page)
      await page.locator('.notice').waitFor()
    },
  },
  'secret, address of a recipient asked': (page, fixture) => openForRecipients(page, fixture),
  'secret, address of a recipient wrong': {
    next: async (page) => {
      await page.locator('input[type=email]').fill('anna')
      await submitForm(page)
      await page.locator('.error').waitFor()
    },
  },
  'secret, code asked': {
    next: async (page) => {
      await page.route('**/api/v1/secret/*/code', (route) => route.fulfill({ status: 204 }))
      await page.locator('input[type=email]').fill('anna@example.org')
      await submitForm(page)
      await page.locator('input[inputmode=numeric]').waitFor()
    },
  },
  'secret, code wrong': {
    next: async (page) => {
      await failWith(page, '**/api/v1/secret/*', 401, { code: 'secret.code_wrong', attemptsLeft: 9 })
      await page.locator('input[inputmode=numeric]').fill('12345678')
      await submitForm(page)
      await page.locator('.error').waitFor()
    },
  },
  'secret, does not decrypt': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await alterResponse(page, `**/api/v1/secret/${id}`, (json) => ({ ...json, text: 'x' }))
    await visit(page, link)
    await submitForm(page)
    await page.locator('.notice.bad').waitFor()
  },
  'secret, reported as another kind': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await alterResponse(page, `**/api/v1/secret/${id}/exist`, (json) => ({ ...json, kind: 'public' }))
    await visit(page, link)
    await waitForHeading(page)
  },
  'secret, server failed': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await failWith(page, `**/api/v1/secret/${id}/exist`, 500, { code: 'server.error' })
    await visit(page, link)
    await waitForHeading(page)
  },
  'secret, link cut off': async (page, fixture) => {
    await visit(page, (await createSecret(fixture)).link.slice(0, -2))
    await waitForHeading(page)
  },
  'secret, newer version': async (page, fixture) => {
    await visit(page, (await createSecret(fixture)).link.replace('#1', '#2'))
    await waitForHeading(page)
  },
  'secret, gone': async (page, fixture) => {
    const { id, link, burnToken } = await createSecret(fixture)
    await client(fixture).burn(id, { burnToken })
    await visit(page, link)
    await page.locator('.causes').waitFor()
  },
  'secret, revealed': (page, fixture) =>
    revealSecret(page, fixture, {
      title: 'Production database',
      text: 'DB_HOST=10.4.0.12\nDB_USER=app\nDB_PASSWORD=correct-é-☃',
    }),
  'secret, hidden': {
    next: async (page) => {
      await page.locator('main .between button').nth(2).click()
      await page.locator('.hidden-text').waitFor()
    },
  },
  'secret, revealed and long': (page, fixture) =>
    revealSecret(page, fixture, {
      text: 'a line that is much longer than the card can show without breaking it somewhere\n'.repeat(60),
      maxViews: 5,
    }),
  'secret, views left, asking before the burn': async (page, fixture) => {
    await revealSecret(page, fixture, { maxViews: 3 })
    await page.locator('.button.danger').first().click()
    await waitForDialog(page)
  },
  'secret, server more generous': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await alterResponse(page, `**/api/v1/secret/${id}`, (json) => ({ ...json, maxViews: 9 }))
    await visit(page, link)
    await submitForm(page)
    await page.locator('.notice.bad').waitFor()
  },
  'secret, not text': async (page, fixture) => {
    await openLink(page, fixture, { text: Uint8Array.from([0, 255, 254]) })
    await submitForm(page)
    await page.locator('h2').first().waitFor()
  },
})
