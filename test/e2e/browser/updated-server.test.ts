/** Pages that were loaded before the server was updated: their other files are gone, and what was typed stays. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { createSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'

const TEXT = 'typed before the update é'
const UPDATED = 'This site was updated. Copy what you need from this page, then reload it.'

describe('a page that is older than the server', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  // The browser reports missing files, and React what an error page shows.
  afterEach(() => {
    const isExpected = (problem: string) => /status of 404|OutdatedError|dynamically imported module/.test(problem)
    expect(fixture.takeErrors().filter((problem) => !isExpected(problem))).toEqual([])
  })

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  const text = (page: Page) => page.getByLabel('Your secret')

  async function openHome(missing: string): Promise<Page> {
    const page = await fixture.newVisitor()
    await removeFiles(page, missing)
    await page.goto('/')
    // The app has started: before that, a link is a request to the server.
    await page.locator('textarea:focus:not(#early-text)').waitFor()
    return page
  }
  const removeFiles = (page: Page, names: string) =>
    page.route(`**/assets/${names}`, (route) => route.fulfill({ status: 404, body: '' }))

  test('the form keeps the text when the code that sends it is gone', async () => {
    const page = await openHome('sender-*')
    await text(page).fill(TEXT)
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText(UPDATED).waitFor()
    await page.locator('.failure:focus').waitFor()
    expect(await text(page).inputValue()).toBe(TEXT)
    await page.unroute('**/assets/sender-*')
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => text(page).inputValue()).toBe('')
  })

  test('a part of the form that is gone leaves the rest of the form', async () => {
    const page = await openHome('sender-*')
    await text(page).fill(TEXT)
    await page.getByText('More options').click()
    await page.locator('details').getByText(UPDATED).waitFor()
    expect(await text(page).inputValue()).toBe(TEXT)
    await page.getByRole('button', { name: 'Reload' }).waitFor()
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
    await page.getByRole('link', { name: 'Public list' }).click()
    await expect.poll(() => page.evaluate('window.isOldPage').catch(() => true)).toBe(undefined)
    expect(page.url()).toBe(`${fixture.url}/public`)
    // The files of the new build are gone too: the page says so instead of loading again and again.
    await heading(page, 'This site was updated')
    await page.getByRole('button', { name: 'Reload' }).waitFor()
    await page.unroute('**/assets/public-*')
    await page.getByRole('button', { name: 'Reload' }).click()
    await heading(page, 'Public secrets')
  })

  test('a link does not delete a text that was typed', async () => {
    const page = await openHome('public-*')
    await text(page).fill(TEXT)
    await page.getByRole('link', { name: 'Public list' }).click()
    await heading(page, 'This site was updated')
    await page.getByRole('link', { name: 'Go back to the form' }).click()
    await expect.poll(() => text(page).inputValue()).toBe(TEXT)
  })

  test('a form that was open for some seconds needs no more files', async () => {
    const page = await fixture.newVisitor()
    const loaded = page.waitForResponse('**/locales/en/files.json')
    const worker = page.waitForEvent('worker')
    await page.goto('/')
    await Promise.all([loaded, worker])
    await page.waitForLoadState('networkidle')
    await removeFiles(page, '*')
    await text(page).fill(TEXT)
    await page.getByText('More options').click()
    await page.getByLabel('Title').fill('é')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'é.txt', mimeType: 'text/plain', buffer: Buffer.from('é') })
    await page.getByRole('button', { name: 'Remove é.txt' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    await heading(page, 'Your link is ready')
  })

  test('a secret is not opened when the code that decrypts it is gone', async () => {
    const { link } = await createSecret(fixture)
    const page = await fixture.newVisitor()
    await removeFiles(page, 'worker-*')
    await page.goto(link)
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await page.getByText(UPDATED).waitFor()
    await page.getByText("The secret wasn't opened.").waitFor()
    await page.unroute('**/assets/worker-*')
    await page.reload()
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await heading(page, 'Your secret')
  })
})
