/** The API reference: complete, and every request can be sent from it. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { EMPTY_STORAGE, readStorage } from '#test/browser/browser-storage'
import { PAYLOADS } from '#test/browser/injection-payloads'
import { createPublicSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'

describe('API reference', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  async function openCall(page: Page, method: string, path: string) {
    await page.goto('/api-docs')
    const details = page.locator('details').filter({ has: page.getByText(path, { exact: true }) })
    const call = details.filter({ has: page.getByText(method, { exact: true }) }).first()
    await call.locator('summary').click()
    return call
  }

  test('the page is marked as work in progress and lists every operation of the OpenAPI document', async () => {
    const page = await fixture.newVisitor()
    await page.goto('/api-docs')
    await page.getByText('Work in Progress').waitFor()
    const response = await fetch(`${fixture.url}/api/v1/openapi.json`)
    const document = (await response.json()) as { paths: object }
    const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const shown = await page
      .locator('.calls summary')
      .evaluateAll((all: { children: { textContent: string }[] }[]) =>
        all.map(({ children }) => `${children[0]?.textContent} ${children[1]?.textContent}`),
      )
    expect(shown.sort()).toEqual(calls.sort())
    expect(await page.getByRole('link', { name: 'Sign in to get an API token' }).getAttribute('href')).toBe('/signin')
    const starts = await page
      .locator('.calls summary code')
      .evaluateAll((all: { getBoundingClientRect(): { left: number } }[]) =>
        all.map((each) => each.getBoundingClientRect().left),
      )
    expect(new Set(starts).size).toBe(1)
  })

  test('a long path breaks before a slash on a phone', async () => {
    const page = await fixture.newVisitor({ viewport: { width: 390, height: 844 } })
    await page.goto('/api-docs')
    await page.locator('.calls code').first().waitFor()
    const lines = await page.evaluate<number[]>(`(() => {
      const codes = [...document.querySelectorAll('.calls summary code')]
      const code = codes.find(({ textContent }) => textContent === '/account/factors/authenticator/options')
      const range = document.createRange()
      const linesOf = (segment) => {
        range.selectNode(segment)
        return range.getClientRects().length
      }
      return [...code.childNodes].filter(({ data }) => data).map(linesOf)
    })()`)
    expect(lines, 'lines of each segment').toEqual([1, 1, 1, 1])
  })

  test('the contents lead to a group, and users to their tokens', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    await page.goto('/api-docs')
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Administration' }).click()
    await page.locator('h2:focus', { hasText: 'Administration' }).waitFor()
    expect(page.url()).toBe(`${fixture.url}/api-docs`)
    await page.getByRole('link', { name: 'Get an API token' }).click()
    await page.getByRole('button', { name: 'New token' }).waitFor()
  })

  test('a request is sent as filled in', async () => {
    const page = await fixture.newVisitor()
    const create = await openCall(page, 'POST', '/secret')
    await create.locator('textarea').fill('{ "text": "tried é", "ttl": 60, "isPublic": true }')
    await create.getByRole('button', { name: 'Send' }).click()
    await create.getByText('201 Created').waitFor()
    const { id } = JSON.parse((await create.locator('[role=status] pre').textContent()) as string)
    const look = await openCall(page, 'GET', '/secret/{id}/exist')
    await look.getByLabel('id').fill(id)
    await look.getByRole('button', { name: 'Send' }).click()
    await look.getByText('200 OK').waitFor()
    await expect
      .poll(() => look.locator('pre').first().textContent())
      .toBe(`curl '${fixture.url}/api/v1/secret/${id}/exist'`)
  })

  test('the API token is sent with the request, and neither shown nor stored', async () => {
    const page = await fixture.newVisitor()
    const call = await openCall(page, 'GET', '/settings')
    await page.getByLabel('API token').fill('planted-token-93ac')
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().endsWith('/settings') && 'authorization' in each.headers()),
      call.getByRole('button', { name: 'Send' }).click(),
    ])
    expect(await request.headerValue('authorization')).toBe(`Basic ${btoa('planted-token-93ac:')}`)
    await call.getByText('Response: ').waitFor()
    await expect.poll(() => page.locator('main').textContent()).not.toContain('planted-token')
    expect(await readStorage(page)).toBe(EMPTY_STORAGE)
  })

  test('the response is shown as text', async () => {
    const titles = PAYLOADS.filter((payload) => !/\p{Cc}/u.test(payload))
    await Promise.all(titles.map((title) => createPublicSecret(fixture, title)))
    const page = await fixture.newVisitor()
    const call = await openCall(page, 'GET', '/secret/public')
    await call.getByLabel('take').fill('100')
    await call.getByRole('button', { name: 'Send' }).click()
    await call.getByText('200 OK').waitFor()
    const response = call.locator('[role=status] pre')
    await expect.poll(() => response.textContent()).toContain('<script>alert(1)</script>')
    await expect.poll(() => response.locator('code *').count()).toBe(0)
  })
})
