/** Accessibility of every state of the composer and of the created link. */
import type { Page } from 'playwright-core'
import { signUp } from '#test/browser/accounts'
import {
  clickLink,
  failWith,
  holdResponse,
  respondWith,
  submitForm,
  waitForComposer,
  waitForDialog,
  withSettings,
} from '#test/browser/page-actions'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

/** A draft stays in the app until it is sent: a state that leaves one has a document of its own. */
async function openComposer(page: Page): Promise<void> {
  await visit(page, '/')
  await waitForComposer(page)
}

async function created(page: Page): Promise<void> {
  await openComposer(page)
  await page.locator('textarea').fill('DB_PASSWORD=correct-horse-battery-staple')
  await page.locator('input[type=password]').fill('amber-river')
  await submitForm(page)
  await page.locator('.notice.good').waitFor()
}

const STOP_LONG_TIMERS = `{
  const start = setTimeout
  setTimeout = (run, ms = 0, ...rest) => (ms < 1000 ? start(run, ms, ...rest) : 0)
}`

const CREATED = {
  id: 'A'.repeat(22),
  url: 'https://example.org/secret/A',
  burnToken: 'A'.repeat(43),
  expiresAt: Date.UTC(2126, 0, 1),
  maxViews: 2,
  kind: 'sealed',
}

const MANY_LINKS = {
  notice: 'This instance is closed on Saturday from 8:00 to 12:00. '.repeat(3),
  links: ['Imprint', 'Accessibility', 'A label that is as long as the configuration takes it, just'].map((label) => ({
    label,
    href: '/terms',
  })),
  source: 'https://example.org/source',
}

/** Serves the page as configured with a long notice and many links. */
const configureManyLinks = (page: Page) =>
  page.route('**/', async (route) => {
    const response = await route.fetch()
    const parse = (content: string) => JSON.parse(content.replaceAll('&quot;', '"'))
    const body = (await response.text()).replace(
      /(<meta name="site" content=")([^"]*)/,
      (_, begin, content) => begin + JSON.stringify({ ...parse(content), ...MANY_LINKS }).replaceAll('"', '&quot;'),
    )
    await route.fulfill({ response, body })
  })

checkStates('compose', {
  'home, empty': { load: openComposer },
  'home, filled': {
    next: async (page) => {
      await page.locator('textarea').fill('DB_HOST=10.4.0.12\nDB_PASSWORD=correct-horse-battery-staple')
      await page.locator('summary').click()
      await page.locator('details input').first().fill('Staging database')
      await page.locator('details input').nth(1).fill('10.0.0.0/8')
      await page.locator('select').selectOption('custom')
    },
  },
  'home, with problems': {
    next: async (page) => {
      await page.locator('textarea').first().fill('')
      await page.locator('.pair input').fill('none')
      await page.locator('.stepper input').fill('0')
      await page.locator('details input').nth(1).fill('300.1.1.1')
      await submitForm(page)
      await page.locator('.error').nth(3).waitFor()
    },
  },
  'home, with presets': {
    load: async (page) => {
      const presets = [
        { name: 'Пароль, one day ☃', ttl: 43_200, maxViews: 2, options: ['password'] },
        { name: 'A name of forty characters, the longest.', options: ['receipt', 'recipients'] },
      ]
      await withSettings(page, { presets })
      await openComposer(page)
      await page.evaluate(`localStorage.setItem('last-options', '{"ttl":3600,"views":3,"isMoreOpen":true}')`)
      await page.reload()
      await page.locator('.start input').last().check()
      await page.locator('details input[type=checkbox]').first().waitFor()
    },
  },
  'home, with notifications': {
    load: async (page, fixture) => {
      await withSettings(page, { notifications: true, canNotify: true })
      await signUp(page, fixture)
      await openComposer(page)
      await page.locator('summary').click()
      await page.locator('details input[type=checkbox]').nth(1).check()
    },
  },
  'home, recipients and people, with problems': {
    load: async (page) => {
      await withSettings(page, { emailVerification: true })
      await openComposer(page)
      await page.locator('summary').click()
      await page.locator('details textarea').fill('x'.repeat(101))
      await page.locator('details input[inputmode=email]').fill('anna@example.org, bob')
      await page.locator('details input').first().focus()
      await page.locator('details .error').nth(1).waitFor()
    },
  },
  'created, a link for each person': async (page) => {
    await openComposer(page)
    await page.locator('textarea').fill('DB_PASSWORD=correct-horse-battery-staple')
    await page.locator('summary').click()
    await page.locator('details textarea').fill('Zoë\nA name that is longer than the others, and than the line')
    await submitForm(page)
    await page.locator('.link-box').nth(1).waitFor()
  },
  'created, for named recipients': {
    load: async (page) => {
      await withSettings(page, { emailVerification: true })
      await respondWith(page, '**/api/v1/secret', CREATED)
      await openComposer(page)
      await page.locator('textarea').fill('DB_PASSWORD=correct-horse-battery-staple')
      await page.locator('summary').click()
      await page.locator('details input[inputmode=email]').fill('anna@example.org, b.with-a-long-name@sub.example.org')
      await submitForm(page)
      await page.locator('.facts li').nth(1).waitFor()
    },
  },
  'home, receipt asked for': {
    load: async (page) => {
      await openComposer(page)
      await page.locator('summary').click()
      await page.locator('details input[type=checkbox]').nth(1).check()
    },
  },
  'created, with a receipt': {
    next: async (page) => {
      await page.locator('textarea').first().fill('DB_PASSWORD=correct-horse-battery-staple')
      await submitForm(page)
      await page.locator('.link-box:visible').nth(1).waitFor()
    },
  },
  'home, options folded': {
    load: async (page) => {
      await openComposer(page)
      await page.locator('summary').click()
      await page.locator('details input').first().fill('Staging database')
      await page.locator('details input').nth(1).fill('10.0.0.0/8')
      await page.locator('details input[type=checkbox]').first().check()
      await page.locator('summary').click()
      await page.locator('.badge').first().waitFor()
    },
  },
  'home, public': {
    load: async (page) => {
      await openComposer(page)
      await page.locator('summary').click()
      await page.locator('input[type=checkbox]').last().check()
      await page.locator('.notice').waitFor()
    },
  },
  'home, refused': {
    load: async (page) => {
      await failWith(page, '**/api/v1/secret', 429, { code: 'http.429', retryAfter: 252 })
      await openComposer(page)
      await page.locator('textarea').fill('text')
      await submitForm(page)
      await page.locator('.notice.bad').waitFor()
    },
  },
  'home, being created': {
    load: async (page) => {
      await holdResponse(page, '**/api/v1/secret')
      await openComposer(page)
      await page.locator('textarea').fill('text')
      await submitForm(page)
      await page.locator('button[type=submit][aria-disabled=true]').waitFor()
    },
  },
  'home, long notice and many links': {
    load: async (page) => {
      await configureManyLinks(page)
      await openComposer(page)
      await page.locator('.notice').waitFor()
    },
  },
  'home, read-only': {
    load: async (page) => {
      await withSettings(page, { read_only: true, canCreate: false })
      await openComposer(page)
      await page.locator('.notice').waitFor()
    },
  },
  'home, settings failed': {
    load: async (page) => {
      await failWith(page, '**/api/v1/settings', 500, { code: 'server.error' })
      await openComposer(page)
      await page.locator('.notice.bad').waitFor()
    },
  },
  loading: {
    load: async (page) => {
      await holdResponse(page, '**/api/v1/settings')
      await visit(page, '/')
      await page.locator('.spinner').waitFor()
    },
  },
  'a screen on its way': async (page) => {
    await holdResponse(page, '**/secret/public/**')
    await openComposer(page)
    await clickLink(page, '/public')
    await page.locator('.pending').waitFor()
  },
  'menu open': async (page) => {
    await openComposer(page)
    const button = page.locator('.menu-button')
    if (await button.isVisible()) await button.click()
    await page.locator('#main-links a').first().waitFor()
  },
  created,
  'created, QR code': {
    next: async (page) => {
      await page.locator('.segments button').nth(1).click()
      await page.locator('.qr svg').first().waitFor()
    },
  },
  'created, message': {
    next: async (page) => {
      await page.locator('.segments button').first().click()
      await page.locator('.message').waitFor()
    },
  },
  'created, key apart': {
    next: async (page) => {
      await page.locator('.segments button').nth(2).click()
      await page.locator('.link-box').nth(2).waitFor()
    },
  },
  'created, list of keys': {
    next: async (page) => {
      await page.keyboard.press('?')
      await waitForDialog(page)
    },
  },
  'created, copied': {
    load: async (page) => {
      await created(page)
      const copy = page.locator('.link-box ~ .actions .button.primary')
      // Stays until the check, however slow it is.
      await page.evaluate(STOP_LONG_TIMERS)
      await copy.click()
      await copy.locator('[data-shown=true][aria-hidden]').waitFor()
    },
  },
  'created, not copied': {
    load: async (page) => {
      await openComposer(page)
      await page.evaluate(`Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
      Document.prototype.execCommand = () => false`)
      await page.locator('textarea').fill('text')
      await submitForm(page)
      await page.locator('.notice.info').waitFor()
      await page.locator('.button.primary').click()
      await page.locator('.error').waitFor()
    },
  },
  'created, asking before the burn': async (page) => {
    await created(page)
    await page.locator('.button.danger').first().click()
    await waitForDialog(page)
  },
  burned: {
    next: async (page) => {
      await page.locator('.button.danger.solid').click()
      await page.locator('.notice').waitFor({ state: 'detached' })
    },
  },
  'created, not burned': async (page) => {
    await created(page)
    await failWith(page, '**/burn', 500, { code: 'server.error' })
    await page.locator('.button.danger').first().click()
    await page.locator('.button.danger.solid').click()
    await page.locator('.notice.bad').waitFor()
  },
})
