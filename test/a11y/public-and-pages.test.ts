/** Accessibility of every state of the public list, the documents, the statistics and the lite version. */
import type { Page } from 'playwright-core'
import { failWith, respondWith, waitForHeading } from '#test/browser/page-actions'
import { createPublicSecret, createRawSecret, createSecret } from '#test/browser/secrets'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

/** One more than a page holds, with titles of all kinds. */
const PUBLIC_SECRETS = Array.from({ length: 51 }, (_, index) => ({
  id: `${index}`.padStart(22, 'A'),
  title: [null, 'Wi-Fi', 'A title that is as long as people make them without a limit '.repeat(2)][index % 3],
  username: [null, 'alice', 'a-name-of-20-letters'][index % 3],
  createdAt: 0,
  expiresAt: Date.now() + (index + 1) * 3_600_000,
}))

const COUNTERS = [
  'created',
  'opened',
  'viewed',
  'used-up',
  'burned',
  'expired',
  'files',
  'with-password',
  'with-files',
  'with-address',
  'public',
]

/** `amount`: by the index of a day or of a counter. */
async function openStatistics(page: Page, amount: (index: number) => number | null): Promise<void> {
  const total = Object.fromEntries(COUNTERS.map((name, index) => [name, amount(index + 1)]))
  const days = Array.from({ length: 30 }, (_, index) => ({
    ...total,
    day: new Date(Date.UTC(2026, 9, 23 + index)).toISOString().slice(0, 10),
    created: amount(index),
  }))
  await respondWith(page, '**/api/v1/stats', {
    days,
    total: { ...total, created: amount(3) },
    live: amount(1) && 10_000,
    medianWait: amount(1) && 300,
  })
  await visit(page, '/stats')
  await waitForHeading(page)
}

checkStates('public-and-pages', {
  'public list': async (page, fixture) => {
    await createPublicSecret(fixture, 'Wi-Fi for the office')
    await visit(page, '/public')
    await page.locator('table').waitFor()
  },
  'share, nothing arrived': async (page) => {
    await visit(page, '/share')
    await waitForHeading(page)
  },
  'forgot password': async (page) => {
    await visit(page, '/forgot-password')
    await waitForHeading(page)
  },
  'reset password, broken link': async (page) => {
    await visit(page, '/reset-password#token')
    await page.locator('.notice.bad').waitFor()
  },
  'reset password, wrong': async (page) => {
    await respondWith(page, '**/api/v1/authentication/reset/access', {
      sessions: [{ id: 's', client: 'Firefox on Windows', createdAt: 0, seenAt: Date.now() }],
      webhooks: [],
      factors: [],
      tokens: [{ id: 't', name: 'backup script', createdAt: 0, usedAt: Date.now() }],
      identities: [],
      username: 'alice',
      passwordMin: 12,
    })
    await visit(page, '/reset-password#token')
    await page.locator('[name=newPassword]').fill('a long new password')
    await page.locator('main button[type=submit]').click()
    await page.locator('.notice.bad').waitFor()
  },
  'reset password, no link': async (page) => {
    await visit(page, '/reset-password')
    await page.locator('.notice.bad').waitFor()
  },
  'confirm address, no link': async (page) => {
    await visit(page, '/verify-email')
    await page.locator('.notice.bad').waitFor()
  },
  'unsubscribe page, no link': async (page) => {
    await visit(page, '/unsubscribe')
    await page.locator('.notice.bad').waitFor()
  },
  'confirm address, done': async (page) => {
    await respondWith(page, '**/api/v1/authentication/verify-email', { email: 'alice@example.org' })
    await visit(page, '/verify-email#token')
    await page.locator('main .button.primary').click()
    await page.locator('.notice.good').waitFor()
  },
  'confirm address, broken link': async (page) => {
    await visit(page, '/verify-email#token')
    await page.locator('main .button.primary').click()
    await page.locator('.notice.bad').waitFor()
  },
  'unsubscribe page': async (page) => {
    await visit(page, '/unsubscribe#token')
    await waitForHeading(page)
  },
  'unsubscribe page, broken link': {
    next: async (page) => {
      await page.locator('main .button.primary').click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  'public list, of one user, with pages': async (page) => {
    await respondWith(page, '**/secret/public/**', PUBLIC_SECRETS)
    await visit(page, '/public/alice?skip=50')
    await page.locator('nav.actions a').nth(1).waitFor()
  },
  'public list, empty': async (page) => {
    await visit(page, '/public/unknown')
    await page.locator('.card').waitFor()
  },
  privacy: async (page) => {
    await visit(page, '/privacy')
    await page.locator('.prose').waitFor()
  },
  terms: async (page) => {
    await visit(page, '/terms')
    await page.locator('.prose').waitFor()
  },
  'api documentation': async (page) => {
    await visit(page, '/api-docs')
    await page.locator('.calls').first().waitFor()
  },
  'api documentation, call opened and tried': {
    next: async (page) => {
      await page.locator('.calls summary').first().click()
      await page.locator('.calls button[type=submit]').click()
      await page.locator('.calls [role=status] pre').waitFor()
    },
  },
  'statistics, nothing yet': async (page) => {
    await openStatistics(page, () => 0)
    await page.locator('.card').first().waitFor()
  },
  statistics: async (page) => {
    await openStatistics(page, (index) => [null, 12, 31, 70][index % 4] ?? null)
    await page.locator('figure summary').first().click()
  },
  'statistics, for administrators': async (page) => {
    await failWith(page, '**/api/v1/stats', 403, { code: 'auth.admin_only' })
    await visit(page, '/stats')
    await page.locator('.notice').waitFor()
  },
  lite: {
    load: async (page) => {
      await visit(page, '/lite')
      await page.locator('option').first().waitFor({ state: 'attached' })
    },
  },
  'lite, created': {
    next: async (page) => {
      await page.locator('#text').fill('DB_PASSWORD=correct-horse-battery-staple')
      await page.locator('#submit').click()
      await page.locator('#created').waitFor()
    },
  },
  'lite, refused': {
    load: async (page) => {
      await failWith(page, '**/api/v1/secret', 403, { code: 'settings.read_only' })
      await visit(page, '/lite')
      await page.locator('#text').fill('text')
      await page.locator('#submit').click()
      await page.locator('#problem').filter({ hasText: /./ }).waitFor()
    },
  },
  'lite, password wrong': {
    load: async (page, fixture) => {
      const { id } = await createRawSecret(fixture, 'text', 'right')
      await visit(page, `/lite/${id}`)
      await page.locator('#password').fill('wrong')
      await page.locator('#submit').click()
      await page.locator('#problem').filter({ hasText: /./ }).waitFor()
    },
  },
  'lite, key and password asked': {
    load: async (page, fixture) => {
      const { link, fragment } = await createSecret(fixture, { password: 'x' })
      await visit(page, link.replace(/#.*/, '').replace('/secret/', '/lite/'))
      await page.locator('#key').fill(fragment)
      await page.locator('#submit').click()
      await page.locator('#password').waitFor()
    },
  },
  'lite, code asked and sent': {
    load: async (page, fixture) => {
      const { link } = await createSecret(fixture)
      await page.route('**/exist', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ json: { ...(await response.json()), codeRequired: true } })
      })
      await page.route('**/code', (route) => route.fulfill({ status: 204 }))
      await visit(page, link.replace('/secret/', '/lite/'))
      await page.locator('#email').fill('anna@example.org')
      await page.locator('#send-code').click()
      await page.locator('#code').waitFor()
    },
  },
  'lite, opened': {
    load: async (page, fixture) => {
      await visit(page, (await createSecret(fixture)).link.replace('/secret/', '/lite/'))
      await page.locator('#submit').click()
      await page.locator('#secret').waitFor()
    },
  },
  'lite, gone': {
    load: async (page) => {
      await visit(page, '/lite/AAAAAAAAAAAAAAAAAAAAAA~AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
      await page.locator('#problem').filter({ hasText: /./ }).waitFor()
    },
  },
  'not found': {
    load: async (page) => {
      await visit(page, '/nowhere')
      await waitForHeading(page)
    },
  },
  error: async (page) => {
    await failWith(page, '**/secret/public/**', 500, { code: 'server.error', requestId: '7f3a' })
    await visit(page, '/public')
    await page.locator('summary').click()
  },
})
