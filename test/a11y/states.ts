/** How to get to every state of every screen, in any language. */
import type { Page } from 'playwright-core'
import type { Stage } from '#test/browser/browser-fixture'
import {
  alter,
  answer,
  dialog,
  failWith,
  follow,
  h1,
  lastOf,
  type Reach,
  silence,
  submit,
  withSettings,
} from '#test/browser/page-actions'
import { client, makePublic, makeRaw, makeSecret } from '#test/browser/secrets'
import { aFile, aPicture, attach, MB, type TestFile } from '#test/browser/test-files'
import { STATES_OF_PEOPLE } from './account-states.js'

async function home(page: Page): Promise<void> {
  await page.goto('/')
  await page.locator('form textarea').waitFor()
}

async function created(page: Page): Promise<void> {
  await home(page)
  await page.locator('textarea').fill('DB_PASSWORD=correct-horse-battery-staple')
  await page.locator('input[type=password]').fill('amber-river')
  await submit(page)
  await page.locator('.notice.good').waitFor()
}

async function closed(page: Page, stage: Stage, draft: Parameters<typeof makeSecret>[1] = {}): Promise<void> {
  await page.goto((await makeSecret(stage, draft)).link)
  await page.locator('form').waitFor()
}

async function revealed(page: Page, stage: Stage, draft: Parameters<typeof makeSecret>[1] = {}): Promise<void> {
  await closed(page, stage, draft)
  await submit(page)
  await page.locator('.secret').waitFor()
}

const NAMES = [
  'server.key',
  'dump-2026-11-21.sql.gz',
  'a name that is as long as people make them when nobody stops them.pdf',
]

async function withFiles(page: Page): Promise<void> {
  await home(page)
  await attach(
    page,
    NAMES.map((name, index) => aFile(name, (index + 1) * 3000)),
  )
}

/** Files of up to 9 MB, opened. */
async function filesRevealed(page: Page, ...more: TestFile[]): Promise<void> {
  await home(page)
  await page.locator('textarea').fill('with files')
  await attach(page, [aFile('server.key', 3000), aFile('dump-2026-11-21.sql.gz', 9 * MB), ...more])
  await submit(page)
  await page.locator('.link-box').first().waitFor()
  const link = (await page.locator('.link-box').first().textContent()) as string
  await page.goto(link)
  await submit(page)
  await page.locator('.files').waitFor()
}

/** One more than a page holds, with titles of all kinds. */
const PUBLIC_SECRETS = Array.from({ length: 51 }, (_, index) => ({
  id: `${index}`.padStart(22, 'A'),
  title: [null, 'Wi-Fi', 'A title that is as long as people make them when nobody stops them '.repeat(2)][index % 3],
  username: [null, 'alice', 'a-name-of-20-letters'][index % 3],
  createdAt: 0,
  expiresAt: Date.now() + (index + 1) * 3_600_000,
}))

const MUCH_TO_SAY = {
  notice: 'This instance is closed on Saturday from 8:00 to 12:00. '.repeat(3),
  links: ['Imprint', 'Accessibility', 'A label that is as long as the configuration takes it, just'].map((label) => ({
    ...{ label, href: '/terms' },
  })),
  source: 'https://example.org/source',
}

/** As if it had been configured: what the page says of its site. */
const ofOperator = (page: Page) =>
  page.route('**/', async (route) => {
    const response = await route.fetch()
    const said = (content: string) => JSON.parse(content.replaceAll('&quot;', '"'))
    const body = (await response.text()).replace(
      /(<meta name="site" content=")([^"]*)/,
      (_, begin, content) => begin + JSON.stringify({ ...said(content), ...MUCH_TO_SAY }).replaceAll('"', '&quot;'),
    )
    await route.fulfill({ response, body })
  })

const COUNTED = [
  ...['created', 'opened', 'viewed', 'used-up', 'burned', 'expired', 'files'],
  ...['with-password', 'with-files', 'with-address', 'public'],
]

/** `amount`: by the index of a day or of what was counted. */
async function statistics(page: Page, amount: (index: number) => number | null): Promise<void> {
  const total = Object.fromEntries(COUNTED.map((name, index) => [name, amount(index + 1)]))
  const days = Array.from({ length: 30 }, (_, index) => ({
    ...total,
    day: new Date(Date.UTC(2026, 9, 23 + index)).toISOString().slice(0, 10),
    created: amount(index),
  }))
  await answer(page, '**/api/v1/stats', {
    ...{ days, total: { ...total, created: amount(3) } },
    ...{ live: amount(1) && 10_000, medianWait: amount(1) && 300 },
  })
  await page.goto('/stats')
  await page.locator('h1').waitFor()
}

export const STATES: Record<string, Reach> = {
  'home, empty': home,
  'home, filled': async (page) => {
    await home(page)
    await page.locator('textarea').fill('DB_HOST=10.4.0.12\nDB_PASSWORD=correct-horse-battery-staple')
    await page.locator('summary').click()
    await page.locator('details input').first().fill('Staging database')
    await page.locator('details input').nth(1).fill('10.0.0.0/8')
    await page.locator('select').selectOption('custom')
  },
  'home, options folded': async (page) => {
    await home(page)
    await page.locator('summary').click()
    await page.locator('details input').first().fill('Staging database')
    await page.locator('details input').nth(1).fill('10.0.0.0/8')
    await page.locator('details input[type=checkbox]').first().check()
    await page.locator('summary').click()
    await page.locator('.badge').first().waitFor()
  },
  'home, public': async (page) => {
    await home(page)
    await page.locator('summary').click()
    await page.locator('input[type=checkbox]').last().check()
    await page.locator('.notice').waitFor()
  },
  'home, with problems': async (page) => {
    await home(page)
    await page.locator('select').selectOption('custom')
    await page.locator('.pair input').fill('none')
    await page.locator('.stepper input').fill('0')
    await page.locator('summary').click()
    await page.locator('details input').nth(1).fill('300.1.1.1')
    await submit(page)
    await page.locator('.error').nth(3).waitFor()
  },
  'home, refused': async (page) => {
    await failWith(page, '**/api/v1/secret', 429, { code: 'http.429', retryAfter: 252 })
    await home(page)
    await page.locator('textarea').fill('text')
    await submit(page)
    await page.locator('.notice.bad').waitFor()
  },
  'home, files': withFiles,
  'home, files held over the page': async (page) => {
    await home(page)
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([''], 'x'))
      document.querySelector('form').dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }))
    })()`)
    await page.locator('.drop-here').waitFor()
  },
  'home, files over the limits': async (page) => {
    await alter(page, '**/api/v1/settings', (json) => ({
      ...json,
      limits: { ...json.limits, maxFileBytes: 4000, maxFiles: 2 },
    }))
    await withFiles(page)
    await submit(page)
    await page.locator('.attach .error').waitFor()
  },
  'home, files of a public secret': async (page) => {
    await withFiles(page)
    await page.locator('summary').click()
    await page.locator('details input[type=checkbox]').last().check()
  },
  'home, files turned off': async (page) => {
    await withSettings(page, { uploads: false, disable_file_upload: true })
    await home(page)
    await page.locator('input[type=file]').setInputFiles([aFile('x', 1)])
    await page.locator('.attach .error').waitFor()
  },
  'home, uploading': async (page) => {
    await page.route('**/api/v1/files/*/*', (route) =>
      route.request().url().endsWith('/1') ? undefined : route.continue(),
    )
    await home(page)
    await attach(page, [aFile('server.key', 3000), aFile('dump-2026-11-21.sql.gz', 9 * MB)])
    await submit(page)
    await page.locator('.files progress[value="8388608"]').waitFor()
  },
  'home, uploading, connection lost': async (page) => {
    await page.route('**/api/v1/files', (route) => route.abort())
    await withFiles(page)
    await submit(page)
    // While it waits there are no figures.
    await page
      .locator('.transfer .hint')
      .filter({ hasNotText: /\p{Nd}/u })
      .waitFor()
  },
  'home, uploading, asking before it is left': async (page) => {
    await silence(page, '**/api/v1/files/*/*')
    await withFiles(page)
    await submit(page)
    await page.locator('.transfer').waitFor()
    await follow(page, '/public')
    await dialog(page)
  },
  'home, being created': async (page) => {
    await silence(page, '**/api/v1/secret')
    await home(page)
    await page.locator('textarea').fill('text')
    await submit(page)
    await page.locator('button[type=submit][aria-disabled=true]').waitFor()
  },
  'home, of an operator with much to say': async (page) => {
    await ofOperator(page)
    await home(page)
    await page.locator('.notice').waitFor()
  },
  'home, read-only': async (page) => {
    await withSettings(page, { read_only: true })
    await home(page)
    await page.locator('.notice').waitFor()
  },
  'home, settings failed': async (page) => {
    await failWith(page, '**/api/v1/settings', 500, { code: 'server.error' })
    await home(page)
    await page.locator('.notice.bad').waitFor()
  },
  loading: async (page) => {
    await silence(page, '**/api/v1/settings')
    await page.goto('/')
    await page.locator('.spinner').waitFor()
  },
  'a screen on its way': async (page) => {
    await silence(page, '**/secret/public/**')
    await home(page)
    await follow(page, '/public')
    await page.locator('.pending').waitFor()
  },
  'menu open': async (page) => {
    await home(page)
    const button = page.locator('.menu-button')
    if (await button.isVisible()) await button.click()
    await page.locator('#main-links a').first().waitFor()
  },
  created,
  'created, QR code': async (page) => {
    await created(page)
    await page.locator('[aria-expanded=false]:not(.menu-button)').click()
    await page.locator('.qr svg').first().waitFor()
  },
  'created, message and key apart': async (page) => {
    await created(page)
    for (const summary of await page.locator('summary').all()) await summary.click()
  },
  'created, not copied': async (page) => {
    await page.addInitScript('Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })')
    await page.addInitScript('Document.prototype.execCommand = () => false')
    await home(page)
    await page.locator('textarea').fill('text')
    await submit(page)
    await page.locator('.notice.info').waitFor()
    await page.locator('.button.primary').click()
    await page.locator('.error').waitFor()
  },
  'created, asking before the burn': async (page) => {
    await created(page)
    await page.locator('.button.danger').first().click()
    await dialog(page)
  },
  'created, not burned': async (page) => {
    await created(page)
    await failWith(page, '**/burn', 500, { code: 'server.error' })
    await page.locator('.button.danger').first().click()
    await page.locator('.button.danger.solid').click()
    await page.locator('.notice.bad').waitFor()
  },
  burned: async (page) => {
    await created(page)
    await page.locator('.button.danger').first().click()
    await page.locator('.button.danger.solid').click()
    await page.locator('.notice').waitFor({ state: 'detached' })
  },
  'secret, closed': (page, stage) => closed(page, stage),
  'secret, being looked for': async (page, stage) => {
    const { id, link } = await makeSecret(stage)
    await silence(page, `**/api/v1/secret/${id}/exist`)
    await page.goto(link)
    await h1(page)
  },
  'secret, being opened': async (page, stage) => {
    const { id, link } = await makeSecret(stage)
    await silence(page, `**/api/v1/secret/${id}`)
    await page.goto(link)
    await submit(page)
    await page.locator('button[type=submit][aria-disabled=true]').waitFor()
  },
  'secret, several views': (page, stage) => closed(page, stage, { maxViews: 3 }),
  'secret, kept until it expires': (page, stage) => closed(page, stage, { preventBurn: true }),
  'secret, public': async (page, stage) => {
    const { id } = await makePublic(stage, 'Wi-Fi for the office')
    await page.goto(`/secret/${id}`)
    await page.locator('form').waitFor()
  },
  'secret, key asked': async (page, stage) => {
    await page.goto((await makeSecret(stage)).link.replace(/#.*/, ''))
    await page.locator('form input').waitFor()
  },
  'secret, key incomplete': async (page, stage) => {
    await page.goto((await makeSecret(stage)).link.replace(/#.*/, ''))
    await page.locator('form input').fill('1abc')
    await submit(page)
    await page.locator('.error').waitFor()
  },
  'secret, key and password asked': async (page, stage) => {
    const { link, fragment } = await makeSecret(stage, { password: 'x' })
    await page.goto(link.replace(/#.*/, ''))
    await page.locator('form input').fill(fragment)
    await submit(page)
    await page.locator('input[type=password]').waitFor()
  },
  'secret, password asked': (page, stage) => closed(page, stage, { password: 'x' }),
  'secret, password wrong': async (page, stage) => {
    const { id } = await makeRaw(stage, 'text', 'right')
    await page.goto(`/secret/${id}`)
    await page.locator('input[type=password]').fill('wrong')
    await submit(page)
    await page.locator('.error').waitFor()
  },
  'secret, locked': async (page, stage) => {
    const { id } = await makeRaw(stage, 'text', 'right')
    await failWith(page, `**/api/v1/secret/${id}`, 423, { code: 'secret.locked', retryAfter: 893 })
    await page.goto(`/secret/${id}`)
    await page.locator('input[type=password]').fill('wrong')
    await submit(page)
    await page.locator('.notice').waitFor()
  },
  'secret, does not decrypt': async (page, stage) => {
    const { id, link } = await makeSecret(stage)
    await alter(page, `**/api/v1/secret/${id}`, (json) => ({ ...json, text: 'x' }))
    await page.goto(link)
    await submit(page)
    await page.locator('.notice.bad').waitFor()
  },
  'secret, server failed': async (page, stage) => {
    const { id, link } = await makeSecret(stage)
    await failWith(page, `**/api/v1/secret/${id}/exist`, 500, { code: 'server.error' })
    await page.goto(link)
    await h1(page)
  },
  'secret, link cut off': async (page, stage) => {
    await page.goto((await makeSecret(stage)).link.slice(0, -2))
    await h1(page)
  },
  'secret, newer version': async (page, stage) => {
    await page.goto((await makeSecret(stage)).link.replace('#1', '#2'))
    await h1(page)
  },
  'secret, gone': async (page, stage) => {
    const { id, link, burnToken } = await makeSecret(stage)
    await client(stage).burn(id, { burnToken })
    await page.goto(link)
    await page.locator('.causes').waitFor()
  },
  'secret, revealed': (page, stage) =>
    revealed(page, stage, {
      title: 'Production database',
      text: 'DB_HOST=10.4.0.12\nDB_USER=app\nDB_PASSWORD=correct-é-☃',
    }),
  'secret, revealed and long': (page, stage) =>
    revealed(page, stage, {
      text: 'a line that is much longer than the card can show without breaking it somewhere\n'.repeat(60),
      maxViews: 5,
    }),
  'secret, hidden': async (page, stage) => {
    await revealed(page, stage)
    await page.locator('[aria-pressed=false]').first().click()
    await page.locator('.hidden-text').waitFor()
  },
  'secret, views left, asking before the burn': async (page, stage) => {
    await revealed(page, stage, { maxViews: 3 })
    await page.locator('.button.danger').first().click()
    await dialog(page)
  },
  'secret, server more generous': async (page, stage) => {
    const { id, link } = await makeSecret(stage)
    await alter(page, `**/api/v1/secret/${id}`, (json) => ({ ...json, maxViews: 9 }))
    await page.goto(link)
    await submit(page)
    await page.locator('.notice.bad').waitFor()
  },
  'secret, not text': async (page, stage) => {
    await closed(page, stage, { text: Uint8Array.from([0, 255, 254]) })
    await submit(page)
    await page.locator('h2').waitFor()
  },
  'secret, files': (page) => filesRevealed(page),
  'secret, files, one underway': async (page) => {
    await filesRevealed(page)
    await page.route('**/api/v1/download', (route) =>
      route.request().postDataJSON().part === 1 ? undefined : route.continue(),
    )
    await lastOf(page, '.files button').click()
    await page.locator('.files progress[value="8388608"]').waitFor()
  },
  'secret, files, one underway, asking before it is left': async (page) => {
    await filesRevealed(page)
    await silence(page, '**/api/v1/download')
    await page.locator('.files button').first().click()
    await page.locator('.files progress').waitFor()
    await follow(page, '/public')
    await dialog(page)
  },
  'secret, files, one shown, one saved': async (page) => {
    await filesRevealed(page, aPicture('icon.png'))
    await page.locator('.files [aria-pressed]').click()
    await page.locator('.files img').waitFor()
    const download = page.waitForEvent('download')
    await page.locator('.files button').first().click()
    await download
  },
  'secret, files, time over': async (page) => {
    await filesRevealed(page)
    await failWith(page, '**/api/v1/download', 404, { code: 'file.not_found' })
    await page.locator('.files button').first().click()
    await page.locator('.files .error').waitFor()
  },
  'public list': async (page, stage) => {
    await makePublic(stage, 'Wi-Fi for the office')
    await page.goto('/public')
    await page.locator('table').waitFor()
  },
  'public list, of one user, with pages': async (page) => {
    await answer(page, '**/secret/public/**', PUBLIC_SECRETS)
    await page.goto('/public/alice?skip=50')
    await page.locator('nav.actions a').nth(1).waitFor()
  },
  'public list, empty': async (page) => {
    await page.goto('/public/nobody')
    await page.locator('.card').waitFor()
  },
  privacy: async (page) => {
    await page.goto('/privacy')
    await page.locator('.prose').waitFor()
  },
  terms: async (page) => {
    await page.goto('/terms')
    await page.locator('.prose').waitFor()
  },
  'api documentation': async (page) => {
    await page.goto('/api-docs')
    await page.locator('.calls').first().waitFor()
  },
  'api documentation, call opened and tried': async (page) => {
    await page.goto('/api-docs')
    await page.locator('.calls summary').first().click()
    await page.locator('.calls button[type=submit]').click()
    await page.locator('.calls [role=status] pre').waitFor()
  },
  'statistics, nothing yet': async (page) => {
    await statistics(page, () => 0)
    await page.locator('.card').first().waitFor()
  },
  statistics: async (page) => {
    await statistics(page, (index) => [null, 12, 31, 70][index % 4] ?? null)
    await page.locator('figure summary').first().click()
  },
  'statistics, for administrators': async (page) => {
    await failWith(page, '**/api/v1/stats', 403, { code: 'auth.admin_only' })
    await page.goto('/stats')
    await page.locator('.notice').waitFor()
  },
  ...STATES_OF_PEOPLE,
  lite: async (page) => {
    await page.goto('/lite')
    await page.locator('option').first().waitFor({ state: 'attached' })
  },
  'lite, created': async (page) => {
    await page.goto('/lite')
    await page.locator('#text').fill('DB_PASSWORD=correct-horse-battery-staple')
    await page.locator('#submit').click()
    await page.locator('#link-heading').waitFor()
  },
  'lite, refused': async (page) => {
    await failWith(page, '**/api/v1/secret', 403, { code: 'settings.read_only' })
    await page.goto('/lite')
    await page.locator('#text').fill('text')
    await page.locator('#submit').click()
    await page.locator('#problem').filter({ hasText: /./ }).waitFor()
  },
  'lite, password wrong': async (page, stage) => {
    const { id } = await makeRaw(stage, 'text', 'right')
    await page.goto(`/lite/${id}`)
    await page.locator('#password').fill('wrong')
    await page.locator('#submit').click()
    await page.locator('#problem').filter({ hasText: /./ }).waitFor()
  },
  'lite, key and password asked': async (page, stage) => {
    const { link, fragment } = await makeSecret(stage, { password: 'x' })
    await page.goto(link.replace(/#.*/, '').replace('/secret/', '/lite/'))
    await page.locator('#key').fill(fragment)
    await page.locator('#submit').click()
    await page.locator('#password').waitFor()
  },
  'lite, opened': async (page, stage) => {
    await page.goto((await makeSecret(stage)).link.replace('/secret/', '/lite/'))
    await page.locator('#submit').click()
    await page.locator('#secret').waitFor()
  },
  'lite, gone': async (page) => {
    await page.goto('/lite/AAAAAAAAAAAAAAAAAAAAAA~AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
    await page.locator('#problem').filter({ hasText: /./ }).waitFor()
  },
  'not found': async (page) => {
    await page.goto('/nowhere')
    await h1(page)
  },
  error: async (page) => {
    await failWith(page, '**/secret/public/**', 500, { code: 'server.error', requestId: '7f3a' })
    await page.goto('/public')
    await page.locator('summary').click()
  },
}
