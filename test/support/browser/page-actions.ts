/** Steps that several browser tests take, in any language of the page. */

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { BrowserFixture } from './browser-fixture.js'

/** Leads a new visitor to one state of a screen, in any language. */
export type OpenState = (page: Page, fixture: BrowserFixture) => Promise<unknown>

/** Waits until the app has replaced the early form. The text field is there during an upload, too. */
export const waitForComposer = (page: Page) => page.locator('textarea:not(#early-text)').waitFor()

export async function openComposer(page: Page): Promise<void> {
  await page.goto('/')
  await waitForComposer(page)
}

export const waitForHeading = (page: Page) => page.locator('h1').waitFor()
export const waitForDialog = (page: Page) => page.locator('dialog[open]').waitFor()

/** Closes every dialog, the innermost first. */
export async function closeDialogs(page: Page): Promise<void> {
  const dialogs = page.locator('dialog[open]')
  for (let left = await dialogs.count(); left > 0; left--) {
    await page.keyboard.press('Escape')
    await expect.poll(() => dialogs.count()).toBe(left - 1)
  }
}

export const submitForm = (page: Page) => page.locator('main button[type=submit]').last().click()

/** Clicks a link of the main navigation; on a phone it is in the closed menu. */
export const clickLink = (page: Page, href: string) => page.locator(`a[href="${href}"]`).first().dispatchEvent('click')

/** Responds with an error from now on. `url`: a glob pattern of Playwright, or a regular expression. */
export const failWith = (page: Page, url: string | RegExp, status: number, body: object) =>
  page.route(url, (route) =>
    route.fulfill({ status, json: { statusCode: status, error: 'Error', message: 'x', ...body } }),
  )

/** Never responds from now on. */
export const holdResponse = (page: Page, url: string) => page.route(url, () => {})

export const respondWith = (page: Page, url: string, json: unknown) =>
  page.route(url, (route) => route.fulfill({ json }))

/** Changes the responses of the server. */
export const alterResponse = (page: Page, url: string, change: (json: Record<string, object>) => object) =>
  page.route(url, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  })

export const withSettings = (page: Page, settings: object) =>
  alterResponse(page, '**/api/v1/settings', (json) => ({ ...json, ...settings }))

/** Reads this visitor's clipboard by pasting into a page without scripts, because pages may not read it. */
export async function readClipboard(page: Page): Promise<string> {
  const other = await page.context().newPage()
  await other.route('**/paste', (route) => route.fulfill({ contentType: 'text/html', body: '<textarea></textarea>' }))
  await other.goto('/paste')
  const field = other.locator('textarea')
  await field.press('Control+V')
  const text = await field.inputValue()
  await other.close()
  return text
}

/** Moves the page's clock, which the test controls, until the condition holds. */
export async function runClockUntil(page: Page, condition: () => boolean): Promise<void> {
  const step = async () => {
    await page.clock.runFor(500)
    return condition()
  }
  await expect.poll(step).toBe(true)
}
