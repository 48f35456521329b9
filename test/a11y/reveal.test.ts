/** Accessibility of every state of opening a secret. */
import type { Page } from 'playwright-core'
import type { BrowserFixture } from '#test/browser/browser-fixture'
import {
  alterResponse,
  failWith,
  holdResponse,
  submitForm,
  waitForDialog,
  waitForHeading,
} from '#test/browser/page-actions'
import { client, createPublicSecret, createRawSecret, createSecret } from '#test/browser/secrets'
import { checkStates } from './check-states.js'

async function openLink(
  page: Page,
  fixture: BrowserFixture,
  draft: Parameters<typeof createSecret>[1] = {},
): Promise<void> {
  await page.goto((await createSecret(fixture, draft)).link)
  await page.locator('form').waitFor()
}

async function revealSecret(
  page: Page,
  fixture: BrowserFixture,
  draft: Parameters<typeof createSecret>[1] = {},
): Promise<void> {
  await openLink(page, fixture, draft)
  await submitForm(page)
  await page.locator('.secret').waitFor()
}

checkStates('reveal', {
  'secret, closed': (page, fixture) => openLink(page, fixture),
  'secret, being looked for': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await holdResponse(page, `**/api/v1/secret/${id}/exist`)
    await page.goto(link)
    await waitForHeading(page)
  },
  'secret, being opened': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await holdResponse(page, `**/api/v1/secret/${id}`)
    await page.goto(link)
    await submitForm(page)
    await page.locator('button[type=submit][aria-disabled=true]').waitFor()
  },
  'secret, several views': (page, fixture) => openLink(page, fixture, { maxViews: 3 }),
  'secret, kept until it expires': (page, fixture) => openLink(page, fixture, { preventBurn: true }),
  'secret, public': async (page, fixture) => {
    const { id } = await createPublicSecret(fixture, 'Wi-Fi for the office')
    await page.goto(`/secret/${id}`)
    await page.locator('form').waitFor()
  },
  'secret, key asked': async (page, fixture) => {
    await page.goto((await createSecret(fixture)).link.replace(/#.*/, ''))
    await page.locator('form input').waitFor()
  },
  'secret, key incomplete': async (page, fixture) => {
    await page.goto((await createSecret(fixture)).link.replace(/#.*/, ''))
    await page.locator('form input').fill('1abc')
    await submitForm(page)
    await page.locator('.error').waitFor()
  },
  'secret, key and password asked': async (page, fixture) => {
    const { link, fragment } = await createSecret(fixture, { password: 'x' })
    await page.goto(link.replace(/#.*/, ''))
    await page.locator('form input').fill(fragment)
    await submitForm(page)
    await page.locator('input[type=password]').waitFor()
  },
  'secret, password asked': (page, fixture) => openLink(page, fixture, { password: 'x' }),
  'secret, password wrong': async (page, fixture) => {
    const { id } = await createRawSecret(fixture, 'text', 'right')
    await page.goto(`/secret/${id}`)
    await page.locator('input[type=password]').fill('wrong')
    await submitForm(page)
    await page.locator('.error').waitFor()
  },
  'secret, locked': async (page, fixture) => {
    const { id } = await createRawSecret(fixture, 'text', 'right')
    await failWith(page, `**/api/v1/secret/${id}`, 423, { code: 'secret.locked', retryAfter: 893 })
    await page.goto(`/secret/${id}`)
    await page.locator('input[type=password]').fill('wrong')
    await submitForm(page)
    await page.locator('.notice').waitFor()
  },
  'secret, does not decrypt': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await alterResponse(page, `**/api/v1/secret/${id}`, (json) => ({ ...json, text: 'x' }))
    await page.goto(link)
    await submitForm(page)
    await page.locator('.notice.bad').waitFor()
  },
  'secret, reported as another kind': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await alterResponse(page, `**/api/v1/secret/${id}/exist`, (json) => ({ ...json, kind: 'public' }))
    await page.goto(link)
    await waitForHeading(page)
  },
  'secret, server failed': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await failWith(page, `**/api/v1/secret/${id}/exist`, 500, { code: 'server.error' })
    await page.goto(link)
    await waitForHeading(page)
  },
  'secret, link cut off': async (page, fixture) => {
    await page.goto((await createSecret(fixture)).link.slice(0, -2))
    await waitForHeading(page)
  },
  'secret, newer version': async (page, fixture) => {
    await page.goto((await createSecret(fixture)).link.replace('#1', '#2'))
    await waitForHeading(page)
  },
  'secret, gone': async (page, fixture) => {
    const { id, link, burnToken } = await createSecret(fixture)
    await client(fixture).burn(id, { burnToken })
    await page.goto(link)
    await page.locator('.causes').waitFor()
  },
  'secret, revealed': (page, fixture) =>
    revealSecret(page, fixture, {
      title: 'Production database',
      text: 'DB_HOST=10.4.0.12\nDB_USER=app\nDB_PASSWORD=correct-é-☃',
    }),
  'secret, revealed and long': (page, fixture) =>
    revealSecret(page, fixture, {
      text: 'a line that is much longer than the card can show without breaking it somewhere\n'.repeat(60),
      maxViews: 5,
    }),
  'secret, hidden': async (page, fixture) => {
    await revealSecret(page, fixture)
    await page.locator('main .between button').nth(2).click()
    await page.locator('.hidden-text').waitFor()
  },
  'secret, views left, asking before the burn': async (page, fixture) => {
    await revealSecret(page, fixture, { maxViews: 3 })
    await page.locator('.button.danger').first().click()
    await waitForDialog(page)
  },
  'secret, server more generous': async (page, fixture) => {
    const { id, link } = await createSecret(fixture)
    await alterResponse(page, `**/api/v1/secret/${id}`, (json) => ({ ...json, maxViews: 9 }))
    await page.goto(link)
    await submitForm(page)
    await page.locator('.notice.bad').waitFor()
  },
  'secret, not text': async (page, fixture) => {
    await openLink(page, fixture, { text: Uint8Array.from([0, 255, 254]) })
    await submitForm(page)
    await page.locator('h2').waitFor()
  },
})
