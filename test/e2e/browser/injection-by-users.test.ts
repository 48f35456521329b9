/** User input is shown as text everywhere. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { upload } from '#shared/client/upload'
import { safeFileName } from '#shared/file-name'
import { signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { CANARY, PAYLOADS } from '#test/browser/injection-payloads'
import { openComposer } from '#test/browser/page-actions'
import { client, createPublicSecret, createSecret } from '#test/browser/secrets'
import { NO_UPLOAD_LIMITS, saveFile } from '#test/browser/test-files'
import { needs } from '#test/needs'

/** Characters that are removed from names because they reorder the text around them. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const IN_URL = encodeURIComponent(PAYLOADS.slice(0, 12).join(' '))

/** Names that are dangerous in a header, in a path, or for a reader. */
const NAMES = [
  'a\r\nSet-Cookie: x=1.html',
  'a "quote".html',
  `${'x'.repeat(300)}.html`,
  'nul\0.html',
  'gpj.\u202elmth.html',
  '../../up.html',
  '..\\up.html',
]

describe('injection', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ env: { ...NO_UPLOAD_LIMITS, MAYFLY_MAX_FILES: '100' } })
  })
  afterAll(() => fixture.close())
  // Dialogs, policy violations and requests to the canary's host are all problems.
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  test('SEC-01: titles in the public list are shown as text', async () => {
    const titles = PAYLOADS.filter((payload) => !/\p{Cc}/u.test(payload))
    await Promise.all(titles.map((title) => createPublicSecret(fixture, title)))
    const page = await fixture.newVisitor()
    const shown: string[] = []
    // A page has 50 of them.
    for (const skip of [0, 50]) {
      await page.goto(`/public?skip=${skip}`)
      await page.locator('tbody tr').first().waitFor()
      shown.push(...(await page.locator('tbody th').allTextContents()))
    }
    expect(shown.sort()).toEqual(titles.map((title) => title.replace(CONTROLS, '')).sort())
    const links = await page.locator('tbody a').evaluateAll((all: { href: string }[]) => all.map(({ href }) => href))
    expect(links.every((href) => href.startsWith(`${fixture.url}/secret/`))).toBe(true)
  })

  test('SEC-01, SEC-02: text and title of encrypted secrets are shown as text', async () => {
    const page = await fixture.newVisitor()
    // Titles have up to 255 characters.
    const titles = PAYLOADS.reduce<string[]>(
      ([last = '', ...others], payload) =>
        last.length + payload.length < 255 ? [`${last} ${payload}`.trim(), ...others] : [payload, last, ...others],
      [],
    )
    const text = PAYLOADS.join('\n')
    for (const title of titles) {
      const { link } = await createSecret(fixture, { text, title })
      await page.goto(link)
      await page.getByRole('button', { name: 'Reveal secret' }).click()
      await page.locator('.secret').waitFor()
      await expect.poll(() => page.locator('.secret').textContent()).toBe(text)
      await expect.poll(() => page.locator('.secret *').count()).toBe(0)
      await expect.poll(() => page.locator('h1').textContent()).toBe(title.replace(CONTROLS, ''))
      await expect.poll(() => page.locator('h1 bdi *').count()).toBe(0)
      await expect.poll(() => page.title()).toBe('Your secret · Mayfly')
    }
  }, 180_000)

  test('SEC-01: names and types of files are shown as text', async () => {
    const source = { size: 0, read: async () => new Uint8Array() }
    const files = await Promise.all(
      PAYLOADS.map(async (name) => ({ ...(await upload(client(fixture), source)), name, type: name })),
    )
    const page = await fixture.newVisitor()
    await page.goto((await createSecret(fixture, { files })).link)
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await page.locator('.files').waitFor()
    const shown = await page.locator('.files .name').allTextContents()
    expect(shown.map((name) => name.replace(/ \(\d\)(\.\w+)?$/, '$1'))).toEqual(
      PAYLOADS.map((name) => safeFileName(name)),
    )
    await expect.poll(() => page.locator('.files .name *').count()).toBe(0)
    expect(shown.join()).not.toMatch(CONTROLS)
  })

  test('names of attached files are shown as text', async () => {
    const page = await fixture.newVisitor()
    await openComposer(page)
    // Created in the page, because drivers and file systems change or refuse such names.
    const names = await page.evaluate<string[]>(`(() => {
      const dataTransfer = new DataTransfer()
      for (const name of ${JSON.stringify(PAYLOADS)}) dataTransfer.items.add(new File(['x'], name))
      const names = [...dataTransfer.files].map(({ name }) => name)
      document.querySelector('form').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
      return names
    })()`)
    await page
      .locator('.files li')
      .nth(names.length - 1)
      .waitFor()
    const shown = await page.locator('.files .name').allTextContents()
    expect(shown).toEqual(names.map((name) => name.replace(CONTROLS, '')))
    await expect.poll(() => page.locator('.files .name *').count()).toBe(0)
  })

  test('SEC-03: a file is saved as binary data with a safe name, and runs nothing when the browser opens it', async () => {
    const script = `<script>document.title = 'ran'; fetch('${CANARY}')</script>`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = 'ran'</script></svg>`
    const wanted = [
      { name: 'page.html', type: 'text/html', text: script },
      { name: 'picture.svg', type: 'image/svg+xml', text: svg },
      { name: 'list.xml', type: 'application/xml', text: `<x xmlns="http://www.w3.org/1999/xhtml">${script}</x>` },
      ...NAMES.map((name) => ({ name, type: 'text/html', text: script })),
    ]
    const files = []
    for (const { name, type, text } of wanted) {
      const bytes = new TextEncoder().encode(text)
      const source = { size: bytes.length, read: async (from: number, to: number) => bytes.subarray(from, to) }
      files.push({ ...(await upload(client(fixture), source)), name, type })
    }
    const page = await fixture.newVisitor()
    await page.addInitScript(`const make = URL.createObjectURL
      window.made = []
      URL.revokeObjectURL = () => {}
      URL.createObjectURL = (blob) => {
        const url = make.call(URL, blob)
        made.push({ url, type: blob.type })
        return url
      }`)
    await page.goto((await createSecret(fixture, { files })).link)
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    // Browsers let no name begin with a dot.
    for (const { name } of wanted)
      expect((await saveFile(page, 'Save')).name).toBe(safeFileName(name).replace(/^\.+/, ''))
    const made = await page.evaluate<{ url: string; type: string }[]>('made')
    expect(made.map(({ type }) => type)).toEqual(wanted.map(() => 'application/octet-stream'))
    for (const { url } of made.slice(0, 3)) {
      const offered = page.waitForEvent('download')
      await page.evaluate(`location.href = ${JSON.stringify(url)}`)
      await offered
      await expect.poll(() => page.title()).toBe('Your secret · Mayfly')
    }
  })

  test('names of tokens and errors in the URL are shown as text', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    const names = PAYLOADS.filter((payload) => !/\p{Cc}/u.test(payload)).map((payload) => payload.trim().slice(0, 60))
    const shown = new Set<string>()
    for (let at = 0; at < names.length; at += 20) {
      const ids = await Promise.all(names.slice(at, at + 20).map((name) => createToken(page, name)))
      await page.goto('/account/security')
      await page
        .locator('tbody tr')
        .nth(19)
        .or(page.locator(`tbody tr:nth-child(${ids.length})`))
        .first()
        .waitFor()
      for (const text of await page.locator('tbody th').allTextContents()) shown.add(text)
      await expect.poll(() => page.locator('tbody th :not(bdi)').count()).toBe(0)
      await Promise.all(
        ids.map((id) =>
          page.request.delete(`${fixture.url}/api/v1/account/tokens/${id}`, { headers: { origin: fixture.url } }),
        ),
      )
    }
    expect([...shown].sort()).toEqual([...new Set(names.map((name) => name.replace(CONTROLS, '')))].sort())
    await page.goto(`/account?error=${IN_URL}`)
    await page.locator('h1').waitFor()
    await page.goto(`/signin?error=${IN_URL}&to=${IN_URL}`)
    await page.locator('h1').waitFor()
  }, 180_000)

  async function createToken(page: Page, name: string): Promise<string> {
    const response = await page.request.post(`${fixture.url}/api/v1/account/tokens`, {
      headers: { origin: fixture.url },
      data: { name },
    })
    expect(response.ok(), `${name}: ${await response.text()}`).toBe(true)
    return (await response.json()).id
  }

  test('error messages and names in the URL are shown as text', async () => {
    const page = await fixture.newVisitor()
    await page.route('**/api/v1/secret', (route) => {
      const message = PAYLOADS.join('\n')
      return route.fulfill({ status: 400, json: { statusCode: 400, error: 'x', code: 'of.tomorrow', message } })
    })
    await page.goto('/')
    await page.getByLabel('Your secret').fill(PAYLOADS.join('\n'))
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('alert').getByText('<script>alert(1)</script>').first().waitFor()
    await page.goto(`/public/${IN_URL}`)
    await page.locator('h1').waitFor()
    await page.goto(`/secret/${IN_URL}#${IN_URL}`)
    await page.locator('h1').waitFor()
    // A 400 response to an invalid name leads to the error screen, which React logs.
    const others = fixture.takeErrors().filter((problem) => !/ApiError|status of 404/.test(problem))
    expect(others).toEqual([])
  }, 180_000)
})
