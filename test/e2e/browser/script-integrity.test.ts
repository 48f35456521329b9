/** Scripts of the pages have hashes in the page, and the lite version runs no other script. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { createSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'

describe('integrity of scripts', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())

  test('the lite version creates and opens a secret under an enforced policy', async () => {
    const page = await fixture.newVisitor()
    const response = await page.goto('/lite')
    expect(response?.headers()['integrity-policy']).toBe('blocked-destinations=(script)')
    await page.getByLabel('Your secret').fill('geheim ☃')
    await page.getByRole('button', { name: 'Create link' }).click()
    await expect.poll(() => page.locator('#link').textContent()).toContain('#1')
    const link = (await page.locator('#link').textContent()) ?? ''
    const reader = await fixture.newVisitor()
    await reader.goto(link.replace('/secret/', '/lite/'))
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await expect.poll(() => reader.locator('#secret').inputValue()).toBe('geheim ☃')
    expect(fixture.takeErrors()).toEqual([])
  })

  test.each([
    ['/lite', false],
    ['/', true],
  ])('%s imports a script without a hash: %s', async (path, isAllowed) => {
    const page = await fixture.newVisitor()
    await page.goto(path)
    // As text, because the transpiler of the tests replaces `import`.
    const isRun = page.evaluate("import(location.origin + '/theme.js?again').then(() => true, () => false)")
    expect(await isRun).toBe(isAllowed)
  })

  test.each(['/', '/lite'])('a changed script of %s does not run', async (path) => {
    const page = await fixture.newVisitor()
    await page.route(/\/assets\/(app|lite)-[^/]*\.js$/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `document.title = 'hacked';${await response.text()}` })
    })
    await page.goto(path)
    await expect.poll(() => fixture.takeErrors().join('\n')).toContain('integrity')
    expect(await page.title()).not.toBe('hacked')
  })

  test('the app opens a secret, with its worker and its dynamic imports', async () => {
    const { link } = await createSecret(fixture)
    const page = await fixture.newVisitor()
    await page.goto(link)
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await page.locator('.secret').waitFor()
    expect(fixture.takeErrors()).toEqual([])
  })
})
