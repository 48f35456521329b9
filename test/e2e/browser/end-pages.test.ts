/** Pages that a link leads to when there is nothing more to open or to fill in. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { alterResponse } from '#test/browser/page-actions'
import { createTestRequest, openRequestPage } from '#test/browser/requests'
import { createSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'

const UNKNOWN_ID = 'A'.repeat(22)

describe('end pages', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ settings: [REQUESTS_FOR_ANYONE] })
  })
  afterAll(() => fixture.close())
  // The browser reports the responses for links that open nothing.
  afterEach(() => expect(fixture.takeErrors().filter((error) => !/status of 40[04]/.test(error))).toEqual([]))

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  const pages: [name: string, heading: string, open: (page: Page) => Promise<unknown>][] = [
    ['cut link', 'This link looks cut off', (page) => page.goto(`/secret/${UNKNOWN_ID}#1cut`)],
    ['broken receipt link', "This link can't be used", (page) => page.goto('/receipt#cut')],
    ['used reset link', 'Choose a new password', (page) => page.goto('/reset-password#used')],
    [
      'gone secret',
      'This secret is no longer available',
      async (page) => page.goto(`/secret/${UNKNOWN_ID}#${(await createSecret(fixture)).fragment}`),
    ],
    [
      'tampered secret',
      "The server didn't send a valid secret.",
      async (page) => {
        await alterResponse(page, '**/api/v1/secret/*/exist', (json) => ({ ...json, kind: 'public' }))
        await page.goto((await createSecret(fixture)).link)
      },
    ],
    [
      'gone request',
      'This request is no longer available',
      async (page) => {
        const { id, requestLink } = await createTestRequest(fixture)
        await openRequestPage(page, requestLink.replace(id, UNKNOWN_ID))
      },
    ],
    [
      'closed request',
      'Request closed',
      async (page) => {
        await openRequestPage(page, (await createTestRequest(fixture)).collectLink)
        await press(page, 'Close request')
        await page.locator('dialog[open]').getByRole('button', { name: 'Close request' }).click()
      },
    ],
    [
      'tampered request',
      'This request was tampered with',
      async (page) => {
        const [{ id, requestLink }, { body }] = [await createTestRequest(fixture), await createTestRequest(fixture)]
        await alterResponse(page, `**/request/${id}/open`, (json) => ({ ...json, recipient: body.recipient }))
        await openRequestPage(page, requestLink)
      },
    ],
    [
      'last submission',
      'Sent',
      async (page) => {
        await openRequestPage(page, (await createTestRequest(fixture)).requestLink)
        await page.getByLabel('Your secret').fill('é ☃')
        await press(page, 'Encrypt and send')
      },
    ],
  ]

  test.each(pages)('%s: the page has a link or a button', async (_, heading, open) => {
    const page = await fixture.newVisitor()
    await open(page)
    await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor()
    await page.locator('main').locator('a, button').filter({ visible: true }).first().waitFor()
  })
})
