/** Collect links that a signed-in user keeps in the browser. */
import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { formatCollectLink } from '#shared/request-link'
import { signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { EMPTY_STORAGE, readStorage } from '#test/browser/browser-storage'
import { openRequestPage } from '#test/browser/requests'
import { needs } from '#test/needs'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'

const TEXT = 'DB_PASSWORD=ärger-☃'
const TITLE = 'Zugang zur Datenbank ☃'
const FAILURE = { code: 'server.unavailable', message: 'unavailable' }
const FAILED = "This browser couldn't keep the link. Copy or download it."

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const keepButton = (page: Page) => button(page, 'Keep in this browser')
const openLinks = (page: Page) => page.getByRole('link', { name: /^Open/ })

interface StoredLink {
  username: string
  expiresAt: number
  extractable: boolean
  text: string
}

/** The content of the database, with all bytes as text; null when there is none. */
const readDatabase = (page: Page): Promise<StoredLink[] | null> =>
  page.evaluate(`(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'collect-links')) return null
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const opening = indexedDB.open('collect-links')
    // The page has deleted it in the meantime. A new one would stay, without links.
    opening.onupgradeneeded = () => opening.transaction.abort()
    const database = await done(opening).catch(({ name }) => {
      if (name !== 'AbortError') throw new Error(name)
      return null
    })
    if (database === null) return null
    const all = await done(database.transaction('links').objectStore('links').getAll())
    database.close()
    return all.map(({ username, expiresAt, key, encrypted }) => ({
      username, expiresAt, extractable: key.extractable, text: new TextDecoder('latin1').decode(encrypted),
    }))
  })()`)

describe('kept collect links', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ settings: [REQUESTS_FOR_ANYONE] })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  async function create(page: Page): Promise<{ requestLink: string; collectLink: string }> {
    await page.goto('/request')
    await page.getByLabel('What do you need?').fill(TITLE)
    await button(page, 'Create request').click()
    await page.getByRole('heading', { name: 'Your request is ready', level: 1 }).waitFor()
    const [requestLink = '', collectLink = ''] = await page.locator('.link-box').allTextContents()
    return { requestLink, collectLink }
  }

  /** Signs up and keeps the link of a new request. */
  async function createKept(page: Page) {
    const username = await signUp(page, fixture)
    const links = await create(page)
    await keepButton(page).click()
    await page.getByText('The collect link is kept in this browser.').waitFor()
    return { username, ...links }
  }

  async function answer(requestLink: string): Promise<void> {
    const page = await fixture.newVisitor()
    await openRequestPage(page, requestLink)
    await page.getByLabel('Your secret').fill(TEXT)
    await button(page, 'Encrypt and send').click()
    await page.getByRole('heading', { name: 'Sent', level: 1 }).waitFor()
  }

  async function openOwnRequests(page: Page): Promise<void> {
    await page.goto('/account/requests')
    await page.getByRole('heading', { name: 'Your requests', level: 1 }).waitFor()
  }

  test('the list opens the submissions without the link, also after a reload', async () => {
    const page = await fixture.newVisitor()
    const { requestLink, collectLink, username } = await createKept(page)
    const key = collectLink.split('#')[1] as string
    // Leaving does not ask: the link is kept.
    await page.getByRole('main').getByRole('link', { name: 'Your requests' }).click()
    await page.getByRole('link', { name: `Open ${TITLE}`, exact: true }).waitFor()
    await page.getByRole('cell', { name: 'Nothing yet' }).waitFor()
    const menuLink = page.getByRole('link', { name: /^Requests/ })
    await expect.poll(() => menuLink.textContent()).toBe('Requests')
    await answer(requestLink)
    await page.reload()
    await page.getByRole('cell', { name: '1 to open' }).waitFor()
    await expect.poll(() => menuLink.textContent()).toBe('Requests1 to open')
    await page.getByRole('link', { name: `Open (1) ${TITLE}`, exact: true }).click()
    await button(page, 'Show submissions').click()
    await page.reload()
    await button(page, 'Show submissions').click()
    await button(page, 'Open submission 1').click()
    await expect.poll(() => page.locator('.secret').textContent()).toBe(TEXT)

    const [stored, ...others] = (await readDatabase(page)) ?? []
    expect(others).toEqual([])
    expect(stored).toMatchObject({ username, extractable: false })
    // Neither the storage nor the history has the key, and no request sent it.
    expect(stored?.text).not.toContain(key.slice(0, 8))
    expect(page.url()).not.toContain('#')
    expect(await readStorage(page)).not.toContain(key)
    const sent = fixture.requests.map((each) => `${each.url()} ${each.postData()}`).join('\n')
    expect(sent).not.toContain(key)

    await openOwnRequests(page)
    await page.getByRole('cell', { name: 'Nothing left to open' }).waitFor()
    await expect.poll(() => menuLink.textContent()).toBe('Requests')
  })

  test('the link is removed on the page with both links, on the page of the submissions, and when the request is closed', async () => {
    const page = await fixture.newVisitor()
    await createKept(page)
    await button(page, 'Remove from this browser').click()
    await keepButton(page).waitFor()
    expect(await readDatabase(page)).toEqual([])
    // It has to be asked again before the link is lost.
    await page.getByRole('link', { name: 'Mayfly home' }).click()
    await button(page, 'Stay').click()
    await keepButton(page).click()
    await button(page, 'Remove from this browser').waitFor()

    await openOwnRequests(page)
    await openLinks(page).click()
    await button(page, 'Show submissions').click()
    await button(page, 'Remove from this browser').click()
    await page.locator('dialog[open]').getByRole('button', { name: 'Remove from this browser' }).click()
    await expect.poll(() => readDatabase(page)).toEqual([])
    await openOwnRequests(page)
    expect(await openLinks(page).count()).toBe(0)

    const other = await fixture.newVisitor()
    await createKept(other)
    await openOwnRequests(other)
    await button(other, /^Close request/).click()
    await other.locator('dialog[open]').getByRole('button', { name: 'Close request' }).click()
    await other.getByText('You have no open requests.').waitFor()
    expect(await readDatabase(other)).toEqual([])
  })

  test('the link of a request that was closed elsewhere is removed, but not by a wrong link', async () => {
    const page = await fixture.newVisitor()
    const { collectLink } = await createKept(page)
    const [address = ''] = collectLink.split('#')
    const id = address.split('/').at(-1) as string
    await openRequestPage(page, formatCollectLink({ base: fixture.url, id, requestKey: randomBytes(32) }))
    await page.getByRole('heading', { name: 'This request is no longer available' }).waitFor()
    expect(await readDatabase(page)).toHaveLength(1)

    const elsewhere = await fixture.newVisitor()
    await openRequestPage(elsewhere, collectLink)
    await button(elsewhere, 'Close request').click()
    await elsewhere.locator('dialog[open]').getByRole('button', { name: 'Close request' }).click()
    await elsewhere.getByRole('heading', { name: 'Request closed' }).waitFor()
    await openRequestPage(page, address)
    await page.getByRole('heading', { name: 'This request is no longer available' }).waitFor()
    expect(await readDatabase(page)).toEqual([])
    // Chromium logs the 404.
    fixture.takeErrors()
  })

  test('the links of expired requests are deleted when the list is opened', async () => {
    const page = await fixture.newVisitor()
    await createKept(page)
    await page.clock.setFixedTime(Date.now() + 8 * 86_400_000)
    await openOwnRequests(page)
    await expect.poll(() => readDatabase(page)).toEqual([])
  })

  test.each(['/signout', '/signout?ended'])('%s deletes all links', async (path) => {
    const page = await fixture.newVisitor()
    await createKept(page)
    // Otherwise the browser deletes everything, because the response says so.
    await page.route('**/authentication/signout', (route) => route.fulfill({ status: 503, json: FAILURE }))
    await page.goto(path)
    await expect.poll(() => readDatabase(page)).toBeNull()
    expect(await readStorage(page)).toBe(EMPTY_STORAGE)
  })

  test('another account on the same browser neither sees nor opens the link', async () => {
    const page = await fixture.newVisitor()
    const { collectLink } = await createKept(page)
    const [address = ''] = collectLink.split('#')
    await page.context().clearCookies()
    const openRefused = async () => {
      await page.goto(address)
      await page.getByRole('heading', { name: "This link can't be used" }).waitFor()
    }
    await openRefused()
    const other = await signUp(page, fixture)
    await openRefused()
    await openOwnRequests(page)
    expect(await openLinks(page).count()).toBe(0)
    // An entry with another username cannot be decrypted.
    await page.evaluate(`new Promise((resolve) => {
      indexedDB.open('collect-links').onsuccess = ({ target: { result } }) => {
        const links = result.transaction('links', 'readwrite').objectStore('links')
        links.getAll().onsuccess = ({ target }) => {
          links.put({ ...target.result[0], username: ${JSON.stringify(other)} })
          links.transaction.oncomplete = () => { result.close(); resolve() }
        }
      }
    })`)
    await openRefused()
  })

  test('a visitor without an account is not offered to keep the link, and nothing is stored', async () => {
    const page = await fixture.newVisitor()
    await create(page)
    expect(await keepButton(page).count()).toBe(0)
    expect(await readStorage(page)).toBe(EMPTY_STORAGE)
  })

  /** Creates a request, whose link the browser cannot keep. Returns the link. */
  async function createUnkept(page: Page, script: string): Promise<string> {
    await page.context().addInitScript(script)
    await signUp(page, fixture)
    const { collectLink } = await create(page)
    await keepButton(page).click()
    await page.getByRole('alert').getByText(FAILED).waitFor()
    return collectLink
  }

  test('storage that is blocked is reported, and everything else works', async () => {
    const page = await fixture.newVisitor()
    const blocked = `IDBFactory.prototype.open = () => { throw new DOMException('blocked', 'SecurityError') }`
    const collectLink = await createUnkept(page, blocked)
    await openOwnRequests(page)
    await page.getByText('0 of 1').waitFor()
    expect(await openLinks(page).count()).toBe(0)
    await openRequestPage(page, collectLink)
    await page.getByText('Nothing has arrived yet.').waitFor()
    await page.goto('/signout')
    await page.locator('main h1').waitFor()
  })

  // Only writing fails there: the other pages find an empty database.
  test.each([
    ['full', `IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }`],
    [
      'full when it is written',
      `{
      const { put } = IDBObjectStore.prototype
      IDBObjectStore.prototype.put = function (value) {
        const request = put.call(this, value)
        request.onsuccess = () => this.transaction.abort()
        return request
      }
    }`,
    ],
    [
      'without support for keys',
      `IDBObjectStore.prototype.put = () => {
      throw new DOMException('not cloned', 'DataCloneError')
    }`,
    ],
  ])('storage that is %s is reported, and nothing is kept', async (_, script) => {
    const page = await fixture.newVisitor()
    await createUnkept(page, script)
    expect(await readDatabase(page)).toEqual([])
    await keepButton(page).waitFor()
  })

  test('a database of a later version is left alone', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    await create(page)
    await page.evaluate(`new Promise((resolve) => {
      const request = indexedDB.open('collect-links', 2)
      request.onupgradeneeded = () => request.result.createObjectStore('other')
      request.onsuccess = () => { request.result.close(); resolve() }
    })`)
    await keepButton(page).click()
    await page.getByRole('alert').getByText(FAILED).waitFor()
    const version = 'indexedDB.databases().then(([{ version }]) => version)'
    expect(await page.evaluate(version)).toBe(2)
    await openOwnRequests(page)
    await page.getByText('0 of 1').waitFor()
  })

  test('a tab that uses the database does not delay signing out', async () => {
    const page = await fixture.newVisitor()
    await createKept(page)
    const other = await page.context().newPage()
    await other.goto('/')
    await other.evaluate(`new Promise((resolve) => { indexedDB.open('collect-links').onsuccess = resolve })`)
    await page.goto('/signout')
    await page.locator('main h1').waitFor()
    await other.close()
    await expect.poll(() => readDatabase(page)).toBeNull()
  })
})
