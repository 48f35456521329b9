/** The lite version: a whole client in one script, also over plain HTTP and for links of the app. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, INSECURE_HOST, startBrowserFixture } from '#test/browser/browser-fixture'
import { EMPTY_STORAGE, readStorage } from '#test/browser/browser-storage'
import { PAYLOADS } from '#test/browser/injection-payloads'
import { withSettings } from '#test/browser/page-actions'
import { createPublicSecret, createRawSecret, createSecret, viewsLeft } from '#test/browser/secrets'
import { needs } from '#test/needs'

const TEXT = 'DB_PASSWORD=correct-é-☃\n\tsecond line  '

const liteLink = (link: string) => link.replace('/secret/', '/lite/')
const reveal = (page: Page) => page.getByRole('button', { name: 'Reveal secret' }).click()
const secretOn = async (page: Page) => {
  await page.getByRole('heading', { name: 'Your secret' }).waitFor()
  return page.locator('#secret').inputValue()
}
const problem = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor()

async function createLink(page: Page, text: string, password = ''): Promise<string> {
  await page.goto('/lite')
  await page.getByLabel('Your secret').fill(text)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
  return (await page.locator('#link').textContent()) as string
}

describe('the lite version', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({
      env: { MAYFLY_ALLOWED_HOSTS: INSECURE_HOST },
    })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  test('a broken link sends no request, and the whole link opens in its tab, which uses no view before the click', async () => {
    const secret = await createSecret(fixture, { text: TEXT })
    const { link } = secret
    const page = await fixture.newVisitor()
    const calls = () => fixture.requests.filter((request) => request.url().includes('/api/')).length
    const before = calls()
    await page.goto(liteLink(link).slice(0, -3))
    await problem(page, 'This link or key looks cut off')
    expect(calls()).toBe(before)
    // A new fragment reloads the page.
    await page.goto(liteLink(link))
    await page.getByRole('button', { name: 'Reveal secret' }).waitFor()
    expect(calls()).toBeGreaterThan(before)
    await expect.poll(() => viewsLeft(fixture, secret)).toBe(1)
    await reveal(page)
    await expect.poll(() => secretOn(page)).toBe(TEXT)
  })

  test('a link opens once in the lite version', async () => {
    const sender = await fixture.newVisitor()
    const link = await createLink(sender, TEXT)
    await sender.getByRole('button', { name: 'Copy' }).click()
    await sender.getByText('Copied').waitFor()
    const reader = await fixture.newVisitor()
    await reader.goto(liteLink(link))
    await reader.getByText('You can open it once.').waitFor()
    const fullVersion = () => reader.getByRole('link', { name: 'Full version' }).getAttribute('href')
    expect(link.endsWith(String(await fullVersion()))).toBe(true)
    expect(await fullVersion()).toContain('#')
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe(TEXT)
    await reader.getByText('This was the last view.').waitFor()
    expect(new URL(reader.url()).hash).toBe('')
    expect(await reader.content()).not.toContain(new URL(link).hash.slice(1))
    expect(await fullVersion()).toBe(new URL(link).pathname)
    await reader.reload()
    await reader.getByText('you can open it again in this tab').waitFor()
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe(TEXT)
    const acked = reader.waitForResponse('**/ack')
    await reader.getByRole('button', { name: 'Copy' }).click()
    await acked
    await reader.reload()
    await reader.getByRole('heading', { name: 'This secret is no longer available' }).waitFor()
    await reader.getByText(/^You opened it in this tab \(.*\d{4}, .+\)\./).waitFor()
    await expect.poll(() => reader.getByLabel('Decryption key').isVisible()).toBe(false)
    await sender.goto(liteLink(link))
    await sender.getByRole('heading', { name: 'This secret is no longer available' }).waitFor()
    for (const page of [sender, reader]) expect(await readStorage(page)).toBe(EMPTY_STORAGE)
  })

  test('links of the app open in the lite version and the other way round', async () => {
    const { link } = await createSecret(fixture, { text: TEXT, maxViews: 3 })
    const reader = await fixture.newVisitor()
    await reader.goto('/lite')
    await reader.getByLabel('Open a link').fill(` <${link}> `)
    await reader.getByRole('button', { name: 'Open' }).click()
    await reader.getByText('Views left: 3.').waitFor()
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe(TEXT)
    const acked = reader.waitForResponse('**/ack')
    await reader.getByRole('button', { name: 'Copy' }).click()
    await acked
    // With views left, a reload does not ask for the key.
    await reader.reload()
    await reader.getByText('Views left: 2.').waitFor()
    await reader.goto('/lite')
    await reader.getByLabel('Open a link').fill(`“${liteLink(link)}”.`)
    await reader.getByRole('button', { name: 'Open' }).click()
    await reader.getByText('Views left: 2.').waitFor()
    await reader.goto(await createLink(reader, 'from the lite version'))
    await reveal(reader)
    await reader.locator('.secret').waitFor()
    await expect.poll(() => reader.locator('.secret').textContent()).toBe('from the lite version')
  })

  test('a secret with a password is created and opens', async () => {
    const reader = await fixture.newVisitor()
    await reader.goto(liteLink(await createLink(reader, TEXT, 'right é')))
    await reader.getByLabel('Password').fill('right é')
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe(TEXT)
  })

  test('a separate key is requested, and accepted alone or in its link', async () => {
    const reader = await fixture.newVisitor()
    for (const form of ['fragment', 'link'] as const) {
      const secret = await createSecret(fixture, { text: TEXT })
      await reader.goto(liteLink(secret.link).replace(/#.*/, ''))
      await reader.getByLabel('Decryption key').fill('1abc')
      await reveal(reader)
      await problem(reader, 'looks cut off')
      await expect.poll(() => viewsLeft(fixture, secret)).toBe(1)
      await reader.getByLabel('Decryption key').fill(secret[form])
      await reveal(reader)
      await expect.poll(() => secretOn(reader)).toBe(TEXT)
      expect(await reader.content()).not.toContain(secret.fragment)
    }
  })

  test('raw and public secrets open, and a wrong password is reported and uses no view', async () => {
    const raw = await createRawSecret(fixture, 'raw é', 'its password')
    const reader = await fixture.newVisitor()
    await reader.goto(`/lite/${raw.id}`)
    await reader.getByLabel('Password').fill('wrong')
    await reveal(reader)
    await problem(reader, "Wrong password. The secret wasn't opened.")
    await reader.getByLabel('Password').fill('its password')
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe('raw é')
    await reader.goto(`/lite/${(await createPublicSecret(fixture, 'x', 'public é')).id}`)
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe('public é')
  })

  test('an error keeps the text, and a retry creates no second secret', async () => {
    const page = await fixture.newVisitor()
    const keys: (string | undefined)[] = []
    let isUp = false
    await page.route('**/api/v1/secret', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (isUp) return route.continue()
      await route.fulfill({
        status: 500,
        json: { statusCode: 500, error: 'x', code: 'of.tomorrow', message: '<b>new</b>' },
      })
    })
    await page.goto('/lite')
    await page.getByLabel('Your secret').fill(TEXT)
    await page.getByRole('button', { name: 'Create link' }).click()
    await problem(page, '<b>new</b>')
    await expect.poll(() => page.getByLabel('Your secret').inputValue()).toBe(TEXT)
    isUp = true
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    expect(new Set(keys).size).toBe(1)
  })

  test('who may not create secrets reads it before typing', async () => {
    const page = await fixture.newVisitor()
    for (const [who, isReadOnly, text, canSignIn, deniedByGroups = false] of [
      ['users', false, "Your groups don't allow you to create secrets on this site.", false, true],
      ['users', false, 'Only signed-in users can create secrets on this site.', true],
      ['admins', false, 'Only administrators can create secrets on this site.', false],
      ['anyone', true, 'This site is read-only.', false],
    ] as const) {
      await withSettings(page, { canCreate: false, who_can_create: who, read_only: isReadOnly, deniedByGroups })
      await page.goto('/lite')
      await problem(page, text)
      expect(await page.getByRole('button', { name: 'Create link' }).count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(canSignIn ? 1 : 0)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })

  test('the keyboard alone creates and opens a secret', async () => {
    const page = await fixture.newVisitor()
    await page.goto('/lite')
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Tab')
    await page.keyboard.type('typed by hand')
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('#heading:focus').waitFor()
    await page.goto(liteLink((await page.locator('#link').textContent()) as string))
    await page.getByRole('button', { name: 'Reveal secret' }).waitFor()
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => secretOn(page)).toBe('typed by hand')
    await page.locator('#heading:focus').waitFor()
  })

  test('without JavaScript there are no forms that do nothing', async () => {
    const page = await fixture.newVisitor({ javaScriptEnabled: false })
    await page.goto('/lite')
    await expect.poll(() => page.locator('code').textContent()).toBe('mayfly secret create < file')
    await expect.poll(() => page.locator('#text').isVisible()).toBe(false)
  })

  test('plain HTTP works and shows a warning', async () => {
    const baseURL = fixture.url.replace('localhost', INSECURE_HOST)
    const page = await fixture.newVisitor({ baseURL })
    const link = await createLink(page, TEXT)
    await page.getByText("This connection isn't secure.").waitFor()
    await page.goto(liteLink(link).replace('localhost', INSECURE_HOST))
    await reveal(page)
    await expect.poll(() => secretOn(page)).toBe(TEXT)
    fixture.takeErrors()
  })

  test('SEC-02: secrets and URLs are shown as text', async () => {
    const text = PAYLOADS.join('\n')
    const { link } = await createSecret(fixture, { text })
    const page = await fixture.newVisitor()
    await page.goto(liteLink(link))
    await reveal(page)
    await expect.poll(() => secretOn(page)).toBe(text.replace(/\r\n?/g, '\n'))
    const payloads = encodeURIComponent(PAYLOADS.slice(0, 12).join(' '))
    await page.goto(`/lite/${payloads}#${payloads}`)
    await page.getByRole('alert').waitFor()
    // An address with a slash in it is not a page.
    expect(fixture.takeErrors().filter((each) => !/status of 404/.test(each))).toEqual([])
  })

  test('the page loads less than 30 kB', async () => {
    const page = await fixture.newVisitor()
    let bytes = 0
    const requests: string[] = []
    page.on('requestfinished', async (request) => {
      requests.push(request.url())
      const { responseBodySize } = await request.sizes()
      bytes += /manifest|icon/.test(request.url()) ? 0 : responseBodySize
    })
    await page.goto('/lite', { waitUntil: 'networkidle' })
    await expect.poll(() => requests.length).toBeGreaterThanOrEqual(4)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(30_000)
  })
})
