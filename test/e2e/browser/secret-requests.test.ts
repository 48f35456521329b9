/** Receiving a secret: create a request, answer it from another browser, collect. */
import { readFileSync } from 'node:fs'
import type { Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { EMPTY_STORAGE, readStorage } from '#test/browser/browser-storage'
import { alterResponse, failWith, runClockUntil, withSettings } from '#test/browser/page-actions'
import { createTestRequest, NOTE, openRequestPage, submitText } from '#test/browser/requests'
import { attachFiles, MB, makeFile, NO_UPLOAD_LIMITS, saveFile, sha256 } from '#test/browser/test-files'
import { needs } from '#test/needs'
import { openByProtocol, submitByProtocol } from '#test/requests-by-protocol'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'

const TEXT = 'DB_PASSWORD=correct-é-☃\n\tsecond line  '
const TITLE = 'Title canary ☃ 5b1f'
const INSTRUCTIONS = 'Instructions canary ☃ 9c2e'
/** Three parts. */
const FILE_BYTES = 17 * MB
const PHONE = { viewport: { width: 360, height: 800 } }

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const linkBox = (page: Page, nth: number) => page.locator('.link-box').nth(nth).textContent() as Promise<string>

async function copyCollectLink(page: Page): Promise<void> {
  await press(page, 'Copy collect link')
  await page.getByRole('status').getByText('Copied').waitFor()
}

describe('secret requests', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ env: NO_UPLOAD_LIMITS, settings: [REQUESTS_FOR_ANYONE] })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  async function create(page: Page): Promise<{ requestLink: string; collectLink: string }> {
    await page.goto('/')
    await page.getByRole('link', { name: 'Request', exact: true }).click()
    await page.getByLabel('What do you need?').fill(TITLE)
    await page.getByLabel('Instructions').fill(INSTRUCTIONS)
    await page.getByLabel('Number of submissions').fill('2')
    await press(page, 'Create request')
    await heading(page, 'Your request is ready')
    return { requestLink: await linkBox(page, 0), collectLink: await linkBox(page, 1) }
  }

  test('text and file arrive, and only at the collect link', async () => {
    const requester = await fixture.newVisitor()
    const { requestLink, collectLink } = await create(requester)
    const [download] = await Promise.all([requester.waitForEvent('download'), press(requester, 'Download as a file')])
    expect(readFileSync(await download.path(), 'utf8')).toBe(`${collectLink}\n`)

    const submitter = await fixture.newVisitor(PHONE)
    await openRequestPage(submitter, requestLink)
    await submitter.getByText(TITLE).waitFor()
    await submitter.getByText(INSTRUCTIONS).waitFor()
    await submitter.getByLabel('Your secret').fill(TEXT)
    const file = makeFile('report-ü.bin', FILE_BYTES)
    await attachFiles(submitter, [file])
    await press(submitter, 'Encrypt and send')
    await heading(submitter, 'Sent')

    await openRequestPage(requester, collectLink)
    await requester.getByRole('button', { name: 'Open submission 1' }).click()
    await expect.poll(() => requester.locator('.secret').textContent()).toBe(TEXT)
    const saved = await saveFile(requester, 'Save')
    expect(saved.name).toBe(file.name)
    expect(sha256(saved.bytes)).toBe(sha256(file.buffer))

    await requester.goBack()
    await requester.getByText('Opened here').waitFor()
    await requester.goForward()
    await expect.poll(() => requester.locator('.secret').textContent()).toBe(TEXT)

    const second = await fixture.newVisitor()
    await openRequestPage(second, collectLink)
    await second.getByText('Opened or deleted').waitFor()
    await requester.getByRole('button', { name: 'Copy' }).click()
    for (const page of [requester, submitter, second]) await expect.poll(() => readStorage(page)).toBe(EMPTY_STORAGE)
    const isPart = (each: Request) => each.headers()['content-type'] === 'application/octet-stream'
    const sent = fixture.requests.map((each) => `${each.url()} ${isPart(each) ? '' : each.postData()}`).join('\n')
    const fragments = [collectLink, requestLink].map((link) => link.split('#')[1] as string)
    for (const secret of [...fragments, TITLE, 'canary', 'DB_PASSWORD', file.name]) {
      expect(sent).not.toContain(secret)
      expect(fixture.server.log()).not.toContain(secret)
    }
  })

  test('CRY-12: a second implementation opens what a browser submits, and the reverse', async () => {
    const { requestLink, collectLink } = await createTestRequest(fixture, { maxSubmissions: 2 })
    const page = await fixture.newVisitor()
    await openRequestPage(page, requestLink)
    await page.getByLabel('Your secret').fill(TEXT)
    const file = makeFile('zwei-teile.bin', 9 * MB)
    await attachFiles(page, [file])
    await press(page, 'Encrypt and send')
    await heading(page, 'Sent')
    const [opened] = await openByProtocol(collectLink)
    expect(opened?.text.toString()).toBe(TEXT)
    expect(opened?.files.map(({ name }) => name)).toEqual([file.name])
    expect(sha256(opened?.files[0]?.bytes ?? Buffer.alloc(0))).toBe(sha256(file.buffer))

    const small = makeFile('klein-ü.bin', 3000)
    await submitByProtocol(requestLink, 'vom Protokoll ☃', [{ name: small.name, bytes: small.buffer }])
    await openRequestPage(page, collectLink)
    await page.getByRole('button', { name: 'Open submission 2' }).click()
    await expect.poll(() => page.locator('.secret').textContent()).toBe('vom Protokoll ☃')
    const saved = await saveFile(page, 'Save')
    expect([saved.name, sha256(saved.bytes)]).toEqual([small.name, sha256(small.buffer)])
  })

  test('a lost response creates no second request, Back leads to an empty form, and leaving without the collect link asks', async () => {
    const page = await fixture.newVisitor()
    const created: string[] = []
    await page.route('**/api/v1/request', async (route) => {
      const response = await route.fetch()
      created.push((await response.json()).id)
      return created.length === 1 ? route.abort() : route.fulfill({ response })
    })
    const { requestLink, collectLink } = await create(page)
    expect(created).toHaveLength(2)
    expect(new Set(created).size).toBe(1)
    // Chromium logs the aborted request.
    fixture.takeErrors()

    await page.goBack()
    await heading(page, 'Request a secret')
    expect(await page.getByLabel('What do you need?').inputValue()).toBe('')
    // Visitors who sign in for a later expiry come back.
    await page.getByLabel('Expires after').selectOption('604800')
    const signIn = page.locator('.card').getByRole('link', { name: 'Sign in' })
    expect(await signIn.getAttribute('href')).toBe('/signin?to=/request')
    await page.goForward()
    expect(await linkBox(page, 1)).toBe(collectLink)
    await page.getByRole('link', { name: 'Mayfly home' }).click()
    await press(page, 'Stay')
    await copyCollectLink(page)
    await page.getByRole('link', { name: 'Mayfly home' }).click()
    await heading(page, 'Share a secret')
    await openRequestPage(page, requestLink)
    await page.getByText(TITLE).waitFor()
  })

  test('nothing is sent before the click, and the keyboard alone answers a request', async () => {
    const { id, requestLink, collectLink } = await createTestRequest(fixture)
    const page = await fixture.newVisitor()
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    for (const link of [collectLink, requestLink]) {
      await page.goto(link)
      await page.locator('main form button:focus').waitFor()
      expect(urls.filter((url) => url.includes(`/api/v1/request/${id}`))).toEqual([])
    }
    await page.keyboard.press('Enter')
    await page.locator('textarea:focus:not(#early-text)').waitFor()
    await page.keyboard.type('typed by hand')
    await page.keyboard.press('Control+Enter')
    await heading(page, 'Sent')
    expect(urls.some((url) => url.includes(`/api/v1/request/${id}`))).toBe(true)
  })

  test('CRY-04: an exchanged recipient and a title of another request are refused before anything is encrypted', async () => {
    const other = await createTestRequest(fixture)
    const page = await fixture.newVisitor()
    for (const exchanged of [{ recipient: other.body.recipient }, { note: other.body.note ?? '' }]) {
      const request = await createTestRequest(fixture)
      await alterResponse(page, `**/request/${request.id}/open`, (json) => ({ ...json, ...exchanged }))
      await openRequestPage(page, request.requestLink)
      await heading(page, 'This request was tampered with')
      expect(await page.locator('textarea').count()).toBe(0)
      expect(await page.content()).not.toContain(NOTE.title)
    }
  })

  test('CRY-04, CRY-19, CRY-20: a submission of another request is not shown and deleted at once, and a repeated one is marked', async () => {
    const request = await createTestRequest(fixture, { maxSubmissions: 3 })
    const other = await createTestRequest(fixture)
    const forgedId = await submitText(fixture, request, 'FOREIGN ☃', { authenticKey: other.keys.authenticKey })
    await submitText(fixture, request, TEXT, { copies: 2 })
    const page = await fixture.newVisitor()
    await openRequestPage(page, request.collectLink)
    const acknowledged = page.waitForResponse((response) => response.url().endsWith(`/secret/${forgedId}/ack`))
    await page.getByRole('button', { name: 'Open submission 1' }).click()
    await page.getByRole('alert').getByText("This submission wasn't made with your request link").waitFor()
    expect(await page.content()).not.toContain('FOREIGN')
    expect((await acknowledged).request().postDataJSON()).toMatchObject({ damaged: true })
    expect((await acknowledged).status()).toBe(204)
    await page.getByText('Tampered with').waitFor()
    await expect.poll(() => readStorage(page)).toBe(EMPTY_STORAGE)

    await page.getByRole('button', { name: 'Open submission 2' }).click()
    await expect.poll(() => page.locator('.secret').textContent()).toBe(TEXT)
    expect(await page.getByText('Repeated submission').count()).toBe(0)
    await press(page, 'Back to the submissions')
    await page.getByRole('button', { name: 'Open submission 3' }).click()
    await page.getByRole('alert').getByText('Repeated submission').waitFor()
    expect(await page.locator('.secret').textContent()).toBe(TEXT)
  })

  test('the button says "Sending…" while an answer is sent, and a lost response causes no second submission', async () => {
    const request = await createTestRequest(fixture, { maxSubmissions: 2 })
    const page = await fixture.newVisitor()
    await openRequestPage(page, request.requestLink)
    const isSending = page.getByRole('button', { name: 'Sending…' }).waitFor()
    let lost = 0
    await page.route('**/submission', async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch()
      await isSending
      await expect.poll(() => page.locator('input[type=file]').isDisabled()).toBe(true)
      await route.abort()
    })
    await page.getByLabel('Your secret').fill(TEXT)
    await press(page, 'Encrypt and send')
    await isSending
    await heading(page, 'Sent')
    expect(lost).toBeGreaterThan(1)
    // Chromium logs the aborted request.
    fixture.takeErrors()
    await openRequestPage(page, request.collectLink)
    await page.getByRole('button', { name: 'Open submission 1' }).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
  })

  test('both pages count down after too many requests and retry after a lost connection, and a submission opens once with the same claim', async () => {
    const request = await createTestRequest(fixture, { maxSubmissions: 2 })
    const id = await submitText(fixture, request, TEXT)
    const page = await fixture.newVisitor()
    await page.clock.install()
    const button = page.locator('main form button[type=submit]')
    for (const link of [request.requestLink, request.collectLink]) {
      await failWith(page, /\/(open|collect)$/, 429, { code: 'limit.reached', retryAfter: 30 })
      await openRequestPage(page, link)
      await page.getByRole('alert').getByText('30 seconds').first().waitFor()
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      await page.unrouteAll()
      await page.clock.runFor(31_000)
      let attempts = 0
      await page.route(/\/(open|collect)$/, (route) => (++attempts > 4 ? route.continue() : route.abort()))
      await button.and(page.locator('[aria-disabled=false]')).click()
      await runClockUntil(page, () => attempts === 4)
      await page.getByRole('alert').getByText("Couldn't reach the server.").waitFor()
      await button.click()
      await page.getByText(NOTE.title).first().waitFor()
      await page.unrouteAll()
    }
    const claims: string[] = []
    let isUp = false
    await page.route(`**/api/v1/secret/${id}`, async (route) => {
      claims.push(route.request().postDataJSON().claim)
      if (isUp) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Open submission 1' }).click()
    await runClockUntil(page, () => claims.length === 4)
    await page.getByRole('alert').getByText("It's not known whether the secret was opened.").waitFor()
    isUp = true
    await page.getByRole('button', { name: 'Open submission 1' }).click()
    await expect.poll(() => page.locator('.secret').textContent()).toBe(TEXT)
    expect(claims).toHaveLength(5)
    expect(new Set(claims).size).toBe(1)
    fixture.takeErrors()
  })

  test('a read-only site creates no requests, and open ones are still answered and collected', async () => {
    const request = await createTestRequest(fixture)
    const page = await fixture.newVisitor()
    await withSettings(page, { read_only: true })
    await page.goto('/request')
    await page.getByText('read-only').first().waitFor()
    await openRequestPage(page, request.requestLink)
    await page.getByLabel('Your secret').fill(TEXT)
    await press(page, 'Encrypt and send')
    await heading(page, 'Sent')
    await openRequestPage(page, request.collectLink)
    await page.getByRole('button', { name: 'Open submission 1' }).click()
    await expect.poll(() => page.locator('.secret').textContent()).toBe(TEXT)
  })

  test('a submission that was opened or burned elsewhere meanwhile is listed as such', async () => {
    const request = await createTestRequest(fixture, { maxSubmissions: 2 })
    const [first] = [await submitText(fixture, request, TEXT), await submitText(fixture, request, TEXT)]
    const page = await fixture.newVisitor()
    await openRequestPage(page, request.collectLink)
    await page.getByRole('button', { name: 'Open submission 2' }).waitFor()
    const response = await fetch(`${fixture.url}/api/v1/secret/${first}/burn`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ access: request.keys.collectProof }),
    })
    expect(response.status).toBe(200)
    await page.getByRole('button', { name: 'Open submission 1' }).click()
    await page.getByText('Opened or deleted').waitFor()
    await page.getByRole('button', { name: 'Open submission 2' }).click()
    await expect.poll(() => page.locator('.secret').textContent()).toBe(TEXT)
    // Chromium logs the 404.
    fixture.takeErrors()
  })

  test('the account lists and closes a request', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    const { requestLink } = await create(page)
    await copyCollectLink(page)
    await page.goto('/account/requests')
    await page.getByText('0 of 2').waitFor()
    await page.getByText('Nothing yet').waitFor()
    await page.getByRole('button', { name: /^Close request/ }).click()
    await page.locator('dialog[open]').getByRole('button', { name: 'Close request' }).click()
    await page.getByText('You have no open requests.').waitFor()
    const submitter = await fixture.newVisitor()
    await openRequestPage(submitter, requestLink)
    await heading(submitter, 'This request is no longer available')
    expect(await submitter.evaluate('getComputedStyle(document.querySelector(".lede")).textAlign')).toBe('center')
  })
})
