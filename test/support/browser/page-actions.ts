/** What the states of the screens are reached with. */
import type { Page } from 'playwright-core'
import type { Stage } from './browser-fixture.js'

/** Leads a fresh visitor to one state, in any language. */
export type Reach = (page: Page, stage: Stage) => Promise<void>

export const h1 = (page: Page) => page.locator('h1').waitFor()
export const submit = (page: Page) => page.locator('main button[type=submit]').last().click()
export const dialog = (page: Page) => page.locator('dialog[open]').waitFor()
export const lastOf = (page: Page, selector: string) => page.locator(selector).last()

/** The server's answer from now on. `where`: as Playwright writes addresses. */
export const failWith = (page: Page, where: string, status: number, body: object) =>
  page.route(where, (route) =>
    route.fulfill({ status, json: { statusCode: status, error: 'Error', message: 'x', ...body } }),
  )

/** There is no answer from now on. */
export const silence = (page: Page, where: string) => page.route(where, () => {})

export const answer = (page: Page, where: string, json: unknown) =>
  page.route(where, (route) => route.fulfill({ json }))

/** What the server answers, with some of it changed. */
export const alter = (page: Page, where: string, change: (json: Record<string, object>) => object) =>
  page.route(where, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  })

export const withSettings = (page: Page, settings: object) =>
  alter(page, '**/api/v1/settings', (json) => ({ ...json, ...settings }))

/** Follows a link of the frame; on a phone it is in the menu. */
export const follow = (page: Page, href: string) => page.locator(`a[href="${href}"]`).first().dispatchEvent('click')
