/** Texts and files that other programs share with the installed app. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#core/runtime'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { waitForComposer } from '#test/browser/page-actions'
import { needs } from '#test/needs'

const TEXT = 'Passwort ärger-☃'
const ADDRESS = 'https://example.org/x'
const FILES = ['Bericht ü.txt', 'two.bin']
const NOTHING = 'Nothing arrived here'
/** As in a window of the installed app. */
const INSTALLED = `{
  const { matchMedia } = window
  window.matchMedia = (query) => query === '(display-mode: standalone)' ? { matches: true } : matchMedia(query)
}`

/** Sends the form that the browser sends for a share. Resolves when the page is there. */
async function share(page: Page, action: string, files = FILES): Promise<void> {
  await page.evaluate(`{
    const form = document.createElement('form')
    Object.assign(form, { method: 'POST', enctype: 'multipart/form-data', action: ${JSON.stringify(action)} })
    const add = (name, value) => form.append(Object.assign(document.createElement('input'), { name, value }))
    add('title', 'ärger')
    add('text', ${JSON.stringify(TEXT)})
    add('url', ${JSON.stringify(ADDRESS)})
    const transfer = new DataTransfer()
    for (const name of ${JSON.stringify(files)}) transfer.items.add(new File(['content of ' + name], name))
    const input = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true })
    input.files = transfer.files
    form.append(input)
    document.body.append(form)
    form.submit()
  }`)
}

const registrations = (page: Page): Promise<string[]> =>
  page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => scope))')

describe.each(['', '/secrets'])('share target below "%s"', needs('chromium'), (base) => {
  let fixture: BrowserFixture
  let foreign: Server
  beforeAll(async () => {
    const port = await freePort()
    fixture = await startBrowserFixture({ port, publicUrl: `http://localhost:${port}${base}` })
    foreign = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<body>'))
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    foreign.close()
    await fixture.close()
  })
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  const action = () => `${fixture.url}/share`
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  const text = (page: Page) => page.locator('textarea:not(#early-text)').inputValue()

  /** The home page of the installed app, with its worker. */
  async function openInstalled(): Promise<Page> {
    const page = await fixture.newVisitor()
    await page.addInitScript(INSTALLED)
    await page.goto(`${fixture.url}/`)
    await expect.poll(() => registrations(page)).toEqual([action()])
    await page.evaluate(`new Promise((resolve) => {
      const look = async () => {
        const [registration] = await navigator.serviceWorker.getRegistrations()
        if (registration.active?.state === 'activated') resolve()
        else setTimeout(look, 20)
      }
      look()
    })`)
    return page
  }

  /** Whether the server got the text, or the request for the path. */
  const sentToServer = () => fixture.server.log().includes(TEXT) || fixture.server.log().includes('"POST /share')

  test('text and files arrive in the form once, and not at the server', async () => {
    const page = await openInstalled()
    const served: boolean[] = []
    page.on('response', (response) => {
      if (response.request().method() === 'POST') served.push(response.fromServiceWorker())
    })
    await share(page, action())
    await heading(page, 'Share a secret')
    await expect.poll(() => text(page)).toBe(`${TEXT}\n${ADDRESS}`)
    for (const name of FILES) await page.getByText(name).first().waitFor()
    expect(new URL(page.url()).pathname).toBe(base || '/')
    expect(served).toEqual([true])
    expect(sentToServer()).toBe(false)
    await waitForComposer(page)
    await page.goto(action())
    await heading(page, NOTHING)
    await page.goto(`${fixture.url}/`)
    expect(await text(page)).toBe('')
    // No page is controlled, and nothing is stored.
    expect(await page.evaluate('navigator.serviceWorker.controller')).toBeNull()
    expect(await page.evaluate('caches.keys()')).toEqual([])
  })

  test('without the worker the server discards what is shared and the page says so', async () => {
    const page = await fixture.newVisitor()
    await page.goto(`${fixture.url}/lite`)
    await share(page, action())
    await heading(page, NOTHING)
    expect(new URL(page.url()).pathname).toBe(`${base}/share`)
    for (const secret of [TEXT, ...FILES]) expect(fixture.server.log()).not.toContain(secret)
  })

  test('without the worker the server refuses a form of another site', async () => {
    const page = await fixture.newVisitor()
    const refused = await page.request.post(action(), {
      headers: { 'Sec-Fetch-Site': 'cross-site' },
      data: TEXT,
      maxRedirects: 0,
    })
    expect(refused.status()).toBe(403)
    const shared = await page.request.post(action(), {
      headers: { 'Sec-Fetch-Site': 'none' },
      data: TEXT,
      maxRedirects: 0,
    })
    expect([shared.status(), shared.headers().location]).toEqual([303, action()])
  })

  // The steps below do not depend on the path.
  if (base) return

  test('a visitor in a tab of the browser gets no worker, until the page installs the app', async () => {
    const page = await fixture.newVisitor()
    for (const url of [action(), `${fixture.url}/`]) {
      await page.goto(url, { waitUntil: 'networkidle' })
      expect(await registrations(page)).toEqual([])
    }
    await expect
      .poll(async () => {
        await page.evaluate("dispatchEvent(new Event('appinstalled'))")
        return registrations(page)
      })
      .toEqual([action()])
  })

  test('a form of another site fills nothing in, with either referrer policy, and the worker removes itself when the server no longer has it', async () => {
    const page = await openInstalled()
    // The tab of another site is not a window of the app.
    const other = await page.context().newPage()
    for (const policy of ['unsafe-url', 'no-referrer']) {
      await other.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`)
      await other.evaluate(`document.head.append(Object.assign(document.createElement('meta'),
        { name: 'referrer', content: ${JSON.stringify(policy)} }))`)
      await share(other, action(), [])
      await heading(other, NOTHING)
      expect(sentToServer()).toBe(false)
      // It is not kept for the app either.
      await page.goto(action())
      await heading(page, NOTHING)
    }
    // The browser keeps a removed worker for the pages in its scope.
    await other.close()
    await page.goto(`${fixture.url}/`)
    await page.context().route('**/share-worker.js', (route) => route.fulfill({ status: 404 }))
    await share(page, action())
    await heading(page, NOTHING)
    await expect.poll(() => registrations(page)).toEqual([])
    fixture.takeErrors()
  })
})
