/** Scripts of the pages have hashes in the page, and the lite version runs no other script. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { needs } from '#test/needs'

describe('integrity of scripts', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())

  test.each([
    ['/lite', false],
    ['/', true],
  ])('%s imports a script without a hash: %s', async (path, isAllowed) => {
    const page = await fixture.newVisitor()
    const response = await page.goto(path)
    if (!isAllowed) expect(response?.headers()['integrity-policy']).toBe('blocked-destinations=(script)')
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
})
