/** The next test gets the page of the last one, as clean as a new page. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { EMPTY_STORAGE, readStorage } from '#test/browser/browser-storage'
import { needs } from '#test/needs'

describe('the page of a visitor', needs('chromium'), () => {
  let fixture: BrowserFixture
  let last: Page
  const requests: string[] = []
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())

  test('is used and left signed in, with storage, routes, listeners and scripts', async () => {
    last = await fixture.newVisitor()
    await last.addInitScript('window.isLeft = true')
    await last.route('**/api/v1/settings', (route) => route.abort())
    await last.setViewportSize({ width: 360, height: 700 })
    last.on('request', () => requests.push('of the visitor before'))
    await last.goto('/privacy')
    await signUp(last, fixture)
    await last.evaluate(`localStorage.setItem('é', '1')
      sessionStorage.setItem('é', '1')
      window.name = 'é'
      indexedDB.open('é')`)
    fixture.takeErrors()
    requests.length = 0
  })

  test('has nothing of the visitor before', async () => {
    const page = await fixture.newVisitor()
    expect(page).toBe(last)
    expect(await page.context().cookies()).toEqual([])
    await page.goto('/')
    await page.getByRole('button', { name: 'Create link' }).waitFor()
    expect(await readStorage(page)).toBe(EMPTY_STORAGE)
    expect(await page.evaluate('[window.isLeft, innerWidth]')).toEqual([undefined, 1280])
    expect(requests).toEqual([])
    const sizes =
      "performance.getEntriesByType('resource').map(({ name, transferSize }) => /js$/.test(name) ? transferSize : 1)"
    expect(await page.evaluate<number[]>(sizes), 'bytes of scripts that are not in the cache').not.toContain(0)
    expect(fixture.takeErrors()).toEqual([])
  })

  test('is closed when the visitor before changed more than can be undone', async () => {
    const [changed, asked] = [await fixture.newVisitor(), await fixture.newVisitor()]
    expect(changed).toBe(last)
    await changed.clock.install()
    await signUp(asked, fixture)
    last = asked
  })

  test('has no cookies when the visitor before only used the API', async () => {
    const page = await fixture.newVisitor()
    expect(page).toBe(last)
    expect(await page.context().cookies()).toEqual([])
  })
})
