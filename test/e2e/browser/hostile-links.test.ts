/**
 * A proxy that changes `url` in responses gets no key, and links open in the form that mail and chat programs give
 * them.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { alterResponse } from '#test/browser/page-actions'
import { createSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'

const EVIL = 'https://evil.example'
const TEXT = 'täxt ☃'

describe('links', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  test.each([
    ['/', 'main'],
    ['/lite', '#link'],
  ])('CRY-17: links of the page begin with its own address: %s', async (path, place) => {
    const page = await fixture.newVisitor()
    await alterResponse(page, '**/api/v1/secret', (json) => ({ ...json, url: `${EVIL}/secret/${json.id}` }))
    await page.goto(path)
    await page.locator('textarea').fill('geheim ☃')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = page
      .locator(place)
      .getByText(/\/secret\/[\w-]{22}#1/)
      .first()
    await link.waitFor()
    expect(await link.textContent()).toContain(`${new URL(page.url()).origin}/secret/`)
    expect(await page.content()).not.toContain('evil.example')
  })

  for (const version of ['secret', 'lite'] as const) {
    test(`a changed address opens the secret: /${version}`, async () => {
      const page = await fixture.newVisitor()
      for (const change of [
        (url: string, fragment: string) => `${url}%23${fragment}`,
        (url: string, fragment: string) => `${url}#${fragment}&utm_source=mail`,
        (url: string, fragment: string) => `${url}?a=b#${fragment}.`,
      ]) {
        const { link } = await createSecret(fixture, { text: TEXT, maxViews: 2 })
        const [url = '', fragment = ''] = link.replace('/secret/', `/${version}/`).split('#')
        await page.goto(change(url, fragment))
        await page.getByRole('button', { name: 'Reveal secret' }).click()
        const secret = page.locator('.secret:visible')
        await secret.waitFor()
        expect(
          await secret.evaluate((field: { value?: string; textContent: string }) => field.value ?? field.textContent),
        ).toBe(TEXT)
        expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe(`${new URL(url).pathname}#${fragment}`)
      }
    })
  }
})
