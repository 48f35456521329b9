/** How to get to every state of every screen, in any language. */
import type { Page } from 'playwright-core'
import { aFile, attach, MB } from './files.js'
import { ADMIN, PASSWORD, post, signInAsAdmin, signUp } from './members.js'
import { client, makePublic, makeRaw, makeSecret } from './secrets.js'
import type { Stage } from './stage.js'

export type Reach = (page: Page, stage: Stage) => Promise<void>

const h1 = (page: Page) => page.locator('h1').waitFor()
const submit = (page: Page) => page.locator('main button[type=submit]').last().click()
const failWith = (page: Page, where: string, status: number, body: object) =>
  page.route(where, (route) =>
    route.fulfill({ status, json: { statusCode: status, error: 'Error', message: 'x', ...body } }),
  )

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

async function askForToken(page: Page, stage: Stage): Promise<void> {
  await signUp(page, stage)
  await page.goto('/account')
  await page.locator('main section > p > button').click()
  await page.locator('input[name=name]').waitFor()
}

async function ownSecrets(page: Page, stage: Stage): Promise<void> {
  await signUp(page, stage)
  const own = { text: 'text', ttl: 86_400 }
  await post(page, stage, '/secret', { ...own, password: 'amber', preventBurn: true })
  await post(page, stage, '/secret', { ...own, title: 'Wi-Fi for the office', isPublic: true, maxViews: 40 })
  await page.goto('/account/secrets')
  await page.locator('table').waitFor()
}

/** Signed in at two further places. */
async function accountSettings(page: Page, stage: Stage): Promise<void> {
  const username = await signUp(page, stage)
  for (const _ of [1, 2]) {
    const headers = { origin: stage.url, 'content-type': 'application/json', 'user-agent': 'Firefox/1 Windows' }
    const body = JSON.stringify({ username, password: PASSWORD })
    await fetch(`${stage.url}/api/v1/authentication/signin`, { method: 'POST', headers, body })
  }
  await page.goto('/account/account-settings')
  await page.locator('.sessions').waitFor()
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
async function filesRevealed(page: Page): Promise<void> {
  await home(page)
  await page.locator('textarea').fill('with files')
  await attach(page, [aFile('server.key', 3000), aFile('dump-2026-11-21.sql.gz', 9 * MB)])
  await submit(page)
  await page.locator('.link-box').first().waitFor()
  const link = (await page.locator('.link-box').first().textContent()) as string
  await page.goto(link)
  await submit(page)
  await page.locator('.files').waitFor()
}

const COUNTED = [
  ...['created', 'viewed', 'used-up', 'burned', 'expired', 'files'],
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
  await page.route('**/api/v1/stats', (route) =>
    route.fulfill({ json: { days, total: { ...total, created: amount(3) } } }),
  )
  await page.goto('/stats')
  await page.locator('h1').waitFor()
}

/** An instance without an administrator, whatever the stage is by now. */
async function withoutAdmin(page: Page): Promise<void> {
  await page.route('**/api/v1/settings', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), setUp: true } })
  })
}

const SOMEBODY = { role: 'user', generated: false, createdAt: 0, secrets: 0 }
const MEMBERS = [
  { ...SOMEBODY, username: ADMIN, email: `${ADMIN}@example.org`, role: 'admin' },
  { ...SOMEBODY, username: 'bob', email: 'bob@example.org', generated: true, secrets: 3 },
  { ...SOMEBODY, username: 'a-name-of-20-letters', email: `${'an-address-as-long-as-some-are'.repeat(2)}@example.org` },
]

/** The list of users. What it shows is always the same; only the administrator is there. */
async function users(page: Page, stage: Stage, list: object[] = MEMBERS): Promise<void> {
  await signInAsAdmin(page, stage)
  await page.route('**/api/v1/admin/users?*', (route) =>
    route.fulfill({ json: { users: list, total: list.length && 42 } }),
  )
  await page.goto('/account/users?skip=10')
  await page.locator('main search').waitFor()
}

async function dialogOf(page: Page, stage: Stage, row: number, button: number): Promise<void> {
  await users(page, stage)
  await page.locator('tbody tr').nth(row).locator('button').nth(button).click()
  await page.locator('dialog[open]').waitFor()
}

async function added(page: Page, stage: Stage): Promise<void> {
  await users(page, stage)
  await page.route('**/api/v1/admin/users', (route) => route.fulfill({ status: 201, json: MEMBERS[1] }))
  await page.locator('.toolbar > button').click()
  await page.locator('dialog [name=username]').fill('bob-')
  await page.locator('dialog [name=email]').fill('bob@example.org')
  await page.locator('dialog button[type=submit]').click()
  await page.locator('dialog .link-box').waitFor()
}

async function instanceSettings(page: Page, stage: Stage): Promise<void> {
  await signInAsAdmin(page, stage)
  await page.goto('/account/instance-settings')
  await page.locator('fieldset').first().waitFor()
}

const lastOf = (page: Page, selector: string) => page.locator(selector).last()

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
    await page.route('**/api/v1/settings', async (route) => {
      const response = await route.fetch()
      const settings = await response.json()
      const limits = { ...settings.limits, maxFileBytes: 4000, maxFiles: 2 }
      await route.fulfill({ response, json: { ...settings, limits } })
    })
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
    await page.route('**/api/v1/settings', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), uploads: false, disable_file_upload: true } })
    })
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
    await page.route('**/api/v1/files/*/*', () => {})
    await withFiles(page)
    await submit(page)
    await page.locator('.transfer').waitFor()
    // On a phone it is in the menu.
    await page.evaluate('document.querySelector("#main-links a").click()')
    await page.locator('dialog[open]').waitFor()
  },
  'home, read-only': async (page) => {
    await page.route('**/api/v1/settings', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), read_only: true } })
    })
    await home(page)
    await page.locator('.notice').waitFor()
  },
  'home, settings failed': async (page) => {
    await failWith(page, '**/api/v1/settings', 500, { code: 'server.error' })
    await home(page)
    await page.locator('.notice.bad').waitFor()
  },
  loading: async (page) => {
    await page.route('**/api/v1/settings', () => {})
    await page.goto('/')
    await page.locator('.spinner').waitFor()
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
    await page.locator('dialog[open]').waitFor()
  },
  burned: async (page) => {
    await created(page)
    await page.locator('.button.danger').first().click()
    await page.locator('.button.danger.solid').click()
    await page.locator('.notice').waitFor({ state: 'detached' })
  },
  'secret, closed': (page, stage) => closed(page, stage),
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
    await page.route(`**/api/v1/secret/${id}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), text: 'x' } })
    })
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
    await page.locator('dialog[open]').waitFor()
  },
  'secret, server more generous': async (page, stage) => {
    const { id, link } = await makeSecret(stage)
    await page.route(`**/api/v1/secret/${id}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), maxViews: 9 } })
    })
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
  'secret, files, one saved': async (page) => {
    await filesRevealed(page)
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
  'sign in, refused at another site': async (page) => {
    await page.goto('/signin?error=auth.account_exists')
    await page.locator('.notice.bad').waitFor()
  },
  'account, no tokens': async (page, stage) => {
    await signUp(page, stage)
    await page.goto('/account')
    await h1(page)
  },
  'account, password by somebody else, tokens': async (page, stage) => {
    await signUp(page, stage)
    for (const name of ['backup script', 'a name that is as long as the server takes them, and not more'])
      await post(page, stage, '/account/tokens', { name, maxSecrets: 3, allowedIp: '10.0.0.0/8' })
    await page.route('**/api/v1/account', async (route) => {
      const response = await route.fetch()
      const { user } = await response.json()
      await route.fulfill({ response, json: { user: { ...user, role: 'admin', generated: true } } })
    })
    await page.goto('/account?error=auth.identity_taken')
    await page.locator('table').waitFor()
  },
  'account, token asked': async (page, stage) => {
    await askForToken(page, stage)
    await page.locator('input[type=checkbox]').first().uncheck()
    await page.locator('input[type=checkbox]').nth(1).uncheck()
    await submit(page)
    await page.locator('input[name=name]').fill('backup script')
    await submit(page)
    await page.locator('fieldset .error').waitFor()
  },
  'account, token made': async (page, stage) => {
    await askForToken(page, stage)
    await page.locator('input[name=name]').fill('backup script')
    await submit(page)
    await page.locator('.link-box').first().waitFor()
  },
  'account, token to be deleted': async (page, stage) => {
    await signUp(page, stage)
    await post(page, stage, '/account/tokens', { name: 'backup script' })
    await page.goto('/account')
    await page.locator('tbody .danger').first().click()
    await page.locator('dialog[open]').waitFor()
  },
  'own secrets, none': async (page, stage) => {
    await signUp(page, stage)
    await page.goto('/account/secrets')
    await page.locator('.card').waitFor()
  },
  'own secrets': async (page, stage) => {
    await ownSecrets(page, stage)
  },
  'own secrets, one to be burned': async (page, stage) => {
    await ownSecrets(page, stage)
    await page.locator('tbody .danger').first().click()
    await page.locator('dialog[open]').waitFor()
  },
  'own secrets, one burned': async (page, stage) => {
    await ownSecrets(page, stage)
    await page.locator('tbody .danger').first().click()
    await page.locator('dialog[open] .danger').click()
    await page.locator('.status').filter({ hasText: /./ }).waitFor()
  },
  'own secrets, one not burned': async (page, stage) => {
    await ownSecrets(page, stage)
    await failWith(page, '**/burn', 500, { code: 'server.error' })
    await page.locator('tbody .danger').first().click()
    await page.locator('dialog[open] .danger').click()
    await page.locator('.notice.bad').waitFor()
  },
  'account settings': accountSettings,
  'account settings, wrong': async (page, stage) => {
    await accountSettings(page, stage)
    await page.locator('[name=newPassword]').fill('four')
    await page.locator('main button[type=submit]').first().click()
    await page.locator('.error').first().waitFor()
  },
  'account settings, refused': async (page, stage) => {
    await accountSettings(page, stage)
    await page.locator('[name=email]').fill('other@example.org')
    await page.locator('[name=currentPassword]').fill('not-the-password')
    await page.locator('main button[type=submit]').first().click()
    await page.locator('.error').waitFor()
  },
  'account settings, updated, session ended': async (page, stage) => {
    await accountSettings(page, stage)
    await page.locator('.sessions button').first().click()
    await page.locator('.status').filter({ hasText: /./ }).waitFor()
    await page.locator('[name=currentPassword]').fill(PASSWORD)
    await page.locator('main button[type=submit]').first().click()
    await page.locator('.status').nth(1).filter({ hasText: /./ }).waitFor()
  },
  'account settings, password elsewhere': async (page, stage) => {
    await page.route('**/api/v1/account', async (route) => {
      const response = await route.fetch()
      const { user } = await response.json()
      await route.fulfill({ response, json: { user: { ...user, hasPassword: false } } })
    })
    await page.route('**/api/v1/settings', async (route) => {
      const response = await route.fetch()
      const company = { id: 'company', label: 'Company login', kind: 'redirect' }
      await route.fulfill({ response, json: { ...(await response.json()), providers: [company] } })
    })
    await accountSettings(page, stage)
  },
  'account settings, account to be deleted': async (page, stage) => {
    await accountSettings(page, stage)
    await page.locator('main .card > p > .danger').last().click()
    await page.locator('dialog[open] .danger').click()
    await page.locator('dialog[open] .error').waitFor()
  },
  'account, menu open': async (page, stage) => {
    await signUp(page, stage)
    await page.goto('/account/terms')
    await page.locator('.prose').waitFor()
    await page.locator('.side-button button').click()
    await page.locator('.panel a:focus').waitFor()
  },
  'account, privacy': async (page, stage) => {
    await signUp(page, stage)
    await page.goto('/account/privacy')
    await page.locator('.prose').waitFor()
  },
  'users, nobody found': async (page, stage) => {
    await users(page, stage, [])
    await page.locator('main p[role=status]').waitFor()
  },
  'users, the own one locked': async (page, stage) => {
    await users(page, stage)
    await page.locator('.locked').click({ force: true })
    await page.locator('.notice').waitFor()
  },
  'users, not fetched': async (page, stage) => {
    await signInAsAdmin(page, stage)
    await failWith(page, '**/api/v1/admin/users?*', 500, { code: 'server.error' })
    await page.goto('/account/users')
    await page.locator('.notice.bad').waitFor()
  },
  'users, adding with problems': async (page, stage) => {
    await users(page, stage)
    await page.locator('.toolbar > button').click()
    await page.locator('dialog input[type=radio]').last().check()
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog .error').nth(2).waitFor()
  },
  'users, added, link made, asking before it closes': async (page, stage) => {
    await added(page, stage)
    await page.locator('dialog .actions > button:not(.swap)').first().click()
    await page.locator('dialog .link-box').nth(1).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog .notice.warn').waitFor()
  },
  'users, editing the own account': (page, stage) => dialogOf(page, stage, 0, 0),
  'users, deleting under another name': async (page, stage) => {
    await dialogOf(page, stage, 1, 2)
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog .error').waitFor()
  },
  'users, asking before a role is taken': async (page, stage) => {
    await signInAsAdmin(page, stage)
    const other = { ...MEMBERS[1], role: 'admin' }
    await page.route('**/api/v1/admin/users?*', (route) => route.fulfill({ json: { users: [other], total: 1 } }))
    await page.goto('/account/users')
    await page.locator('tbody button').first().click()
    await page.locator('dialog select').selectOption('user')
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog dialog[open]').waitFor()
  },
  'instance settings, changed and refused': async (page, stage) => {
    await instanceSettings(page, stage)
    await failWith(page, '**/api/v1/admin/settings', 500, { code: 'server.error' })
    await page.locator('input[type=checkbox]').first().check()
    await submit(page)
    await page.locator('.notice.bad').waitFor()
    await page.locator('[name=domains]').fill('alice@example.org, bob@example.com')
    await submit(page)
    await page.locator('.error').waitFor()
  },
  'instance settings, saved': async (page, stage) => {
    await instanceSettings(page, stage)
    await page.route('**/api/v1/admin/settings', (route) => route.fulfill({ json: route.request().postDataJSON() }))
    await page.locator('input[type=checkbox]').first().check()
    await submit(page)
    await page.locator('.notice.good').waitFor()
  },
  'instance settings, asking before users are disabled': async (page, stage) => {
    await instanceSettings(page, stage)
    await page.locator('input[type=checkbox]').nth(1).check()
    await submit(page)
    await page.locator('dialog[open]').waitFor()
  },
  'set-up, with problems': async (page) => {
    await withoutAdmin(page)
    await page.goto('/setup')
    await submit(page)
    await page.locator('.error').nth(3).waitFor()
  },
  'signing in, without users and an administrator': async (page) => {
    await page.route('**/api/v1/settings', async (route) => {
      const response = await route.fetch()
      const closed = { disable_users: true, signUp: false, setUp: true }
      await route.fulfill({ response, json: { ...(await response.json()), ...closed } })
    })
    await page.goto('/signin')
    await page.locator('.notice').nth(1).waitFor()
  },
  'signing up, closed': async (page) => {
    await page.route('**/api/v1/settings', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), signUp: false } })
    })
    await page.goto('/signup')
    await page.locator('.notice').waitFor()
  },
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
