/** "A link for each person": one upload, and a link for each name. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'

const CONTENT = randomBytes(9000)

describe('a link for each person', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  /** A form with a file and these names. */
  async function fill(names: string): Promise<Page> {
    const page = await fixture.newVisitor()
    await page.goto('/')
    await page.setInputFiles('input[type=file]', { name: 'bïg ☃.iso', mimeType: 'x/y', buffer: CONTENT })
    // The row of the file moves what is below it.
    await page.getByText('bïg ☃.iso').waitFor()
    await page.getByText('More options').click()
    await page.getByLabel('A link for each person').fill(names)
    return page
  }
  const create = (page: Page) => page.getByRole('button', { name: 'Create link' }).click()
  const isRequest = (method: string, path: RegExp) => (request: { method(): string; url(): string }) =>
    request.method() === method && path.test(request.url())

  test('one upload, a link for each name that opens once, and a table of all', async () => {
    const page = await fill('Anna\n\n Zoë "Z" \n=HYPERLINK(1)\n')
    const before = fixture.requests.length
    await create(page)
    await page.getByRole('heading', { name: 'A link for each person' }).waitFor()
    const links = await page.locator('.link-box').allTextContents()
    expect(new Set(links).size).toBe(3)
    const sent = fixture.requests.slice(before)
    expect(sent.filter(isRequest('POST', /\/files$/))).toHaveLength(1)
    expect(sent.filter(isRequest('POST', /\/secret$/))).toHaveLength(3)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    const table = await readFile(await download.path(), 'utf8')
    const [anna, zoe, formula] = links
    expect(table.replace(/,\d{4}-[^,\r]*Z\r\n/g, '\r\n').replace('link,expires_at', 'link')).toBe(
      `name,link\r\nAnna,${anna}\r\n"Zoë ""Z""",${zoe}\r\n"'=HYPERLINK(1)",${formula}\r\n`,
    )
    for (const link of links) {
      expect((await run(['secret', 'read', '-'], { stdin: link })).stdout.equals(CONTENT)).toBe(true)
      expect((await run(['secret', 'read', '-'], { stdin: link })).code).toBe(3)
    }
  })

  test('links that were created are shown when others fail, and a retry creates only the rest', async () => {
    const page = await fill('Anna\nBert\nCleo\nDora\nEmil\nFina')
    let count = 0
    const ids: string[] = []
    await page.route('**/api/v1/secret', async (route) => {
      // The second link of the first try, and the first one of the second try.
      if ([2, 6].includes(++count))
        return route.fulfill({ status: 500, json: { statusCode: 500, error: 'x', code: 'internal' } })
      const response = await route.fetch()
      ids.push((await response.json()).id)
      return route.fulfill({ response })
    })
    await create(page)
    const missing = page.getByRole('alert').getByText('Not created yet:')
    const links = () => page.locator('.link-box').allTextContents()
    await missing.waitFor()
    const before = await links()
    expect(before).toHaveLength(ids.length)
    expect(await missing.textContent()).toContain('Bert')
    const retry = page.getByRole('button', { name: 'Try the rest again' })
    await retry.click()
    await expect.poll(() => count).toBeGreaterThan(5)
    await retry.click()
    await missing.waitFor({ state: 'detached' })
    const after = await links()
    expect(after).toHaveLength(6)
    expect(after).toEqual(expect.arrayContaining(before))
    expect(new Set(ids).size).toBe(6)
    expect(await page.locator('main li > bdi').allTextContents()).toEqual([
      'Anna',
      'Bert',
      'Cleo',
      'Dora',
      'Emil',
      'Fina',
    ])
    fixture.takeErrors()
  })

  test('more than 1,000 names are refused at the field', async () => {
    const page = await fill('a\n'.repeat(1001))
    expect(await page.getByLabel('A link for each person').getAttribute('aria-invalid')).toBe('true')
  })
})
