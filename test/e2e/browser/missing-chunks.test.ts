/**
 * A file that is gone, because the server was updated, loses nothing. Each story runs once with all files, once
 * without each script or worker that no earlier story imported, and once without all of them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Locator, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#shared/client/client'
import { upload } from '#shared/client/upload'
import { expireSessionSoon, PASSWORD, signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { failWith } from '#test/browser/page-actions'
import { createTestRequest, openRequestPage, submitText, uploaderOf } from '#test/browser/requests'
import { client, createSecret } from '#test/browser/secrets'
import { makeFile } from '#test/browser/test-files'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'

const TEXT = 'typed before the update é'
const UPDATED = 'This site was updated. Copy what you need from this page, then reload it.'
const FILE = makeFile('é.txt', 10)

interface Story {
  /** Opens the page and types. Every file is there. */
  open(page: Page): Promise<unknown>
  /** Needs scripts that are not loaded yet. */
  act(page: Page): Promise<unknown>
  /** The result of the action when all files are there. */
  result(page: Page): Locator
  /** Waits for the typed or opened text. */
  isKept(page: Page): Promise<unknown>
}

/** Scripts that a page loads only because it is idle are loaded when they are needed. */
const WITHOUT_IDLE_LOADS = `{
  const start = window.setTimeout
  window.setTimeout = (run, ms, ...rest) => (ms === 3000 ? 0 : start(run, ms, ...rest))
}`

describe('a page without files of its build', needs('chromium'), () => {
  let fixture: BrowserFixture
  /** Of every script of the build. */
  let code: string[]
  beforeAll(async () => {
    fixture = await startBrowserFixture({ settings: [REQUESTS_FOR_ANYONE] })
    const folder = join(ROOT, 'dist/web/assets')
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
    code = names.map((name) => readFileSync(join(folder, name), 'utf8'))
  })
  afterAll(() => fixture.close())
  // The browser reports missing files, and React what an error page shows.
  afterEach(() => {
    const isExpected = (problem: string) =>
      /status of (403|404|502)|OutdatedError|dynamically imported module/.test(problem)
    expect(fixture.takeErrors().filter((problem) => !isExpected(problem))).toEqual([])
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 })
  const click = (name: string) => (page: Page) => button(page, name).click()
  const follow = (name: string) => (page: Page) => page.getByRole('link', { name, exact: true }).first().click()
  const titled = (name: string) => (page: Page) => heading(page, name)
  const dialog = (page: Page) => page.locator('dialog[open]')

  async function openEmptyForm(page: Page): Promise<void> {
    await page.goto('/')
    await page.locator('textarea:focus:not(#early-text)').waitFor()
  }
  const typeText = (page: Page) => page.getByLabel('Your secret').fill(TEXT)
  /** Typing loads what encrypts and sends the text. */
  async function openForm(page: Page): Promise<void> {
    await openEmptyForm(page)
    await Promise.all([page.waitForEvent('worker'), typeText(page)])
  }
  /** An error page has a link back to the form. */
  async function isTextKept(page: Page): Promise<void> {
    const back = page.getByRole('link', { name: 'Go back to the form' })
    if (await back.isVisible()) await back.click()
    await expect.poll(() => page.getByLabel('Your secret').inputValue()).toBe(TEXT)
  }
  const form = (act: Story['act'], result: Story['result']): Story => ({
    open: openForm,
    act,
    result,
    isKept: isTextKept,
  })

  async function createLink(page: Page): Promise<void> {
    await openForm(page)
    await click('Create link')(page)
    await heading(page, 'Your link is ready').waitFor()
  }
  /** An error page replaces a page with links, which is there again when the user goes back. */
  const isBackAt = (name: string) => async (page: Page) => {
    if (!(await heading(page, name).isVisible())) await page.goBack()
    await heading(page, name).waitFor()
  }
  const createdPage = (act: Story['act'], result: Story['result']): Story => ({
    open: createLink,
    act,
    result,
    isKept: isBackAt('Your link is ready'),
  })

  const openSecretPage = async (page: Page, link: string) => {
    await page.goto(link)
    await button(page, 'Reveal secret').waitFor()
  }
  async function uploadFile(to: Client) {
    const { name, mimeType: type, buffer } = FILE
    const source = { size: buffer.length, read: async (start: number, end: number) => buffer.subarray(start, end) }
    return { ...(await upload(to, source)), name, type }
  }
  async function openFilePage(page: Page): Promise<void> {
    const file = await uploadFile(client(fixture))
    await openSecretPage(page, (await createSecret(fixture, { files: [file] })).link)
  }
  const saveButton = (page: Page) => button(page, 'Save')
  /** No view was used: the secret opens when the files are there again. */
  async function isSecretUnopened(page: Page): Promise<void> {
    await page.getByText("The secret wasn't opened.").waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    await click('Reveal secret')(page)
    await heading(page, 'Your secret').waitFor()
  }

  let users = 0
  async function typeUser(page: Page): Promise<void> {
    await openUsers(page)
    await click('Add user')(page)
    await dialog(page).getByLabel('Username').fill(`someone-${++users}`)
    await dialog(page).getByLabel('E-mail').fill(`someone-${users}@example.org`)
  }
  async function openUsers(page: Page): Promise<void> {
    await signInAsAdmin(page, fixture)
    await page.goto('/account/users')
    await button(page, 'Add user').waitFor()
  }
  const isUserKept = async (page: Page) =>
    expect(await dialog(page).getByLabel('Username').inputValue()).toMatch(/^someone-/)

  const readOnly = (page: Page) => page.getByLabel('Read-only instance')
  async function changeSetting(page: Page): Promise<void> {
    await signInAsAdmin(page, fixture)
    await page.goto('/account/instance-settings')
    await readOnly(page).check()
    await page.getByText('1 unsaved change', { exact: true }).waitFor()
  }
  const isSettingKept = async (page: Page) => expect(await readOnly(page).isChecked()).toBe(true)

  const stories: Record<string, Story> = {
    'a draft is typed and sent': {
      ...form(async (page) => {
        await typeText(page)
        await click('Create link')(page)
      }, titled('Your link is ready')),
      open: openEmptyForm,
    },
    'a draft gets a password': form(click('Generate a password'), (page) =>
      page.locator('.with-buttons input:not([value=""])'),
    ),
    'a draft gets a file': form(
      (page) => page.locator('input[type=file]').setInputFiles(FILE),
      (page) => button(page, `Remove ${FILE.name}`),
    ),
    'a draft is left for a request': form(follow('Request'), titled('Request a secret')),
    'a draft is left for the list of secrets': form(follow('Public list'), titled('Public secrets')),
    'a draft is left for the privacy policy': form(follow('Privacy'), titled('Privacy')),
    'a draft is left to sign in': form(follow('Sign in'), titled('Sign in')),
    'a draft is left for a page that does not exist': form(
      (page) => page.evaluate("history.pushState(null, '', '/nowhere'), dispatchEvent(new PopStateEvent('popstate'))"),
      titled("This page doesn't exist"),
    ),
    'a created link is drawn': createdPage(click('QR code'), (page) => page.locator('.qr')),
    'a created link is left for the list of secrets': createdPage(follow('Public list'), titled('Public secrets')),
    'a secret with a password is opened': {
      async open(page) {
        await openSecretPage(page, (await createSecret(fixture, { password: PASSWORD })).link)
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      },
      act: click('Reveal secret'),
      result: titled('Your secret'),
      isKept: async (page) => expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(PASSWORD),
    },
    'a secret with a file is opened': {
      open: openFilePage,
      act: click('Reveal secret'),
      // The text alone would be a view without its files.
      result: saveButton,
      isKept: isSecretUnopened,
    },
    'a file is saved': {
      async open(page) {
        await openFilePage(page)
        await click('Reveal secret')(page)
        await saveButton(page).waitFor()
      },
      act: click('Save'),
      result: (page) => button(page, 'Save again'),
      isKept: (page) => saveButton(page).waitFor(),
    },
    'a request is created': {
      async open(page) {
        await page.goto('/request')
        await page.getByLabel('What do you need?').fill(TEXT)
      },
      act: click('Create request'),
      result: titled('Your request is ready'),
      isKept: async (page) => expect(await page.getByLabel('What do you need?').inputValue()).toBe(TEXT),
    },
    'a created request is left for the list of secrets': {
      async open(page) {
        await page.goto('/request')
        await click('Create request')(page)
        await heading(page, 'Your request is ready').waitFor()
      },
      async act(page) {
        await follow('Public list')(page)
        await click('Leave')(page)
      },
      result: titled('Public secrets'),
      isKept: isBackAt('Your request is ready'),
    },
    'a submission is sent': {
      async open(page) {
        await openRequestPage(page, (await createTestRequest(fixture)).requestLink)
        await page.getByLabel('Your secret').fill(TEXT)
      },
      act: click('Encrypt and send'),
      result: titled('Sent'),
      isKept: isTextKept,
    },
    'a submission with a file is opened': {
      async open(page) {
        const request = await createTestRequest(fixture)
        await submitText(fixture, request, TEXT, { files: [await uploadFile(uploaderOf(fixture, request))] })
        await openRequestPage(page, request.collectLink)
        await button(page, 'Open submission 1').waitFor()
      },
      act: click('Open submission 1'),
      result: saveButton,
      isKept: (page) => button(page, 'Open submission 1').waitFor(),
    },
    'a dialog of users is opened': {
      open: openUsers,
      act: click('Add user'),
      result: dialog,
      isKept: (page) => page.getByRole('rowheader', { name: /boss@example.org/ }).waitFor(),
    },
    'a typed user is added': {
      open: typeUser,
      act: (page) => dialog(page).locator('button[type=submit]').click(),
      result: (page) => dialog(page).getByText('was added'),
      isKept: isUserKept,
    },
    'a typed user needs a proof': {
      async open(page) {
        await typeUser(page)
        await failWith(page, '**/api/v1/admin/users', 403, { code: 'auth.proof_required' })
      },
      act: (page) => dialog(page).locator('button[type=submit]').click(),
      result: (page) => page.getByRole('dialog', { name: "Confirm that it's you" }),
      isKept: isUserKept,
    },
    'presets are opened below a changed setting': {
      open: changeSetting,
      act: (page) => page.locator('summary', { hasText: 'Presets' }).click(),
      result: (page) => page.getByLabel('Name of the preset'),
      isKept: isSettingKept,
    },
    'a changed setting is not left for another page': {
      open: changeSetting,
      async act(page) {
        await follow('Users')(page)
        await click('Stay')(page)
      },
      result: (page) => page.getByText('1 unsaved change', { exact: true }),
      isKept: isSettingKept,
    },
  }

  /**
   * Whether code names the script to import it or to start it as a worker. An import fails in the same way without its
   * script and without a script that this script imports.
   */
  const isEntry = (name: string) => code.some((text) => new RegExp(`(import|URL)\\([\`"'][^\`"']*${name}`).test(text))
  /** Scripts that a story went without. */
  const tried = new Set<string>()

  /** The scripts that the action loads, by name. */
  async function recordScripts(page: Page, story: Story): Promise<string[]> {
    await story.open(page)
    const loaded = new Set<string>()
    const record = (request: Request) => {
      const [, name] = /\/assets\/([^/]+\.js)$/.exec(request.url()) ?? []
      if (name) loaded.add(name)
    }
    page.on('request', record)
    await story.act(page)
    await story.result(page).first().waitFor()
    page.off('request', record)
    return [...loaded]
  }

  async function runWithout(page: Page, story: Story, missing: string): Promise<void> {
    await story.open(page)
    await page.route(`**/assets/${missing}`, (route) => route.fulfill({ status: 404, body: '' }))
    await story.act(page)
    const result = story.result(page).first()
    await page.getByText('This site was updated').first().or(result).first().waitFor()
    if (!(await result.isVisible())) await story.isKept(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }

  /** Opens `/` and types while its scripts wait. Then a proxy has an error for some. Returns the names of all. */
  async function startWithout(page: Page, isMissing: (name: string) => boolean): Promise<string[]> {
    const names = new Set<string>()
    let type = () => {}
    const typed = new Promise<void>((resolve) => {
      type = resolve
    })
    await page.route('**/assets/*.js', async (route) => {
      const name = basename(route.request().url())
      names.add(name)
      await typed
      await (isMissing(name) ? route.fulfill({ status: 502, body: '' }) : route.continue())
    })
    await page.goto('/', { waitUntil: 'commit' })
    await page.locator('#early-text').fill(TEXT)
    type()
    await button(page, 'Reload').or(page.locator('textarea:not(#early-text)')).first().waitFor()
    return [...names]
  }

  test('a text typed before the app starts is kept when the app cannot start', async () => {
    const page = await fixture.newVisitor()
    await page.addInitScript(WITHOUT_IDLE_LOADS)
    const names = await startWithout(page, () => false)
    for (const missing of names) {
      await startWithout(page, (name) => name === missing)
      await isTextKept(page).catch((error) => {
        throw new Error(`without ${missing}`, { cause: error })
      })
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })

  /** A script that a page loads on its own. */
  async function openWithout(page: Page, missing: string, open: () => Promise<unknown>): Promise<void> {
    await page.route(`**/assets/${missing}-*.js`, (route) => route.fulfill({ status: 404, body: '' }))
    const refused = page.waitForResponse((response) => response.url().includes(`/assets/${missing}-`))
    await Promise.all([refused, open()])
  }

  test('a form works without the reminder of the session', async () => {
    const page = await fixture.newVisitor()
    await expireSessionSoon(page, fixture, await signUp(page, fixture))
    await openWithout(page, 'session-prompt', () => page.goto('/'))
    await page.locator('textarea:not(#early-text)').fill(TEXT)
    await click('Create link')(page)
    await heading(page, 'Your link is ready').waitFor()
  })

  test('a typed username is kept when the script of passkeys is missing', async () => {
    const page = await fixture.newVisitor()
    await openWithout(page, 'ask-for-passkey', () => page.goto('/signin'))
    await page.getByLabel('Username').fill('someone')
    await click('Sign in with a passkey')(page)
    await page.getByText('This site was updated').waitFor()
    expect(await page.getByLabel('Username').inputValue()).toBe('someone')
  })

  async function openHome(missing: string): Promise<Page> {
    const page = await fixture.newVisitor()
    await page.route(`**/assets/${missing}`, (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto('/')
    // The app has started: before that, a link is a request to the server.
    await page.locator('textarea:focus:not(#early-text)').waitFor()
    return page
  }

  test('a form without the code that sends it keeps the text and its other parts', async () => {
    const page = await openHome('sender-*')
    const text = page.getByLabel('Your secret')
    await text.fill(TEXT)
    await page.getByText('More options').click()
    await page.locator('details').getByText(UPDATED).waitFor()
    expect(await text.inputValue()).toBe(TEXT)
    await button(page, 'Reload').waitFor()
    await click('Create link')(page)
    await page.locator('.failure:focus').getByText(UPDATED).waitFor()
    expect(await text.inputValue()).toBe(TEXT)
    await page.unroute('**/assets/sender-*')
    await button(page, 'Reload').last().click()
    await expect.poll(() => text.inputValue()).toBe('')
  })

  test('a part that the server did not send only once is loaded again', async () => {
    const page = await fixture.newVisitor()
    let requests = 0
    await page.route('**/assets/sender-*', (route) => {
      requests += 1
      return requests === 1 ? route.abort() : route.continue()
    })
    await page.goto('/')
    await page.getByText('More options').click()
    await page.getByLabel('Title').waitFor()
    expect(requests).toBe(2)
    fixture.takeErrors()
  })

  test('a link loads its page from the server when its code is gone', async () => {
    const page = await openHome('public-*')
    await page.evaluate('window.isOldPage = true')
    await follow('Public list')(page)
    await expect.poll(() => page.evaluate('window.isOldPage').catch(() => true)).toBe(undefined)
    expect(page.url()).toBe(`${fixture.url}/public`)
    // The files of the new build are gone too: the page says so instead of loading again and again.
    await heading(page, 'This site was updated').waitFor()
    await button(page, 'Reload').waitFor()
    await page.unroute('**/assets/public-*')
    await click('Reload')(page)
    await heading(page, 'Public secrets').waitFor()
  })

  test('a form that was open for some seconds needs no more files', async () => {
    const page = await fixture.newVisitor()
    const loaded = page.waitForResponse('**/locales/en/files.json')
    const worker = page.waitForEvent('worker')
    await page.goto('/')
    await Promise.all([loaded, worker])
    await page.waitForLoadState('networkidle')
    await page.route('**/assets/*', (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByLabel('Your secret').fill(TEXT)
    await page.getByText('More options').click()
    await page.getByLabel('Title').fill('é')
    await page.locator('input[type=file]').setInputFiles(FILE)
    await button(page, `Remove ${FILE.name}`).click()
    await click('Create link')(page)
    await heading(page, 'Your link is ready').waitFor()
  })

  test.each(Object.entries(stories))('nothing is lost when %s', async (_, story) => {
    const page = await fixture.newVisitor()
    await page.addInitScript(WITHOUT_IDLE_LOADS)
    const scripts = await recordScripts(page, story)
    const entries = scripts.filter(isEntry)
    // Without a single import is without all of them.
    const each = entries.length === 1 ? [] : entries.filter((name) => !tried.has(name))
    for (const name of entries) tried.add(name)
    for (const missing of [...each, '*.js']) {
      await runWithout(page, story, missing).catch((error) => {
        throw new Error(`without ${missing}`, { cause: error })
      })
    }
  })
})
