/**
 * A server or a proxy that changes the response to a view: the collect page and the lite version say so, and show
 * nothing forged. The page of a secret: `reveal.test.ts`.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { alterResponse } from '#test/browser/page-actions'
import { createTestRequest, openRequestPage, submitText } from '#test/browser/requests'
import { createSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'

const FORGED = 'FORGED ☃'
const DAY_MS = 86_400_000
const ADDED_FILE = { id: 'AQIDBAUGBwgJCgsMDQ4PEA', size: 181, parts: 1, key: 'A'.repeat(43) }
type View = Record<string, unknown>
const CHANGES: [what: string, change: (view: View) => View][] = [
  ['text', (view) => ({ ...view, text: FORGED })],
  ['expiry', (view) => ({ ...view, expiresAt: Number(view.expiresAt) + DAY_MS })],
  ['number of views', (view) => ({ ...view, maxViews: 7 })],
  ['list of files', (view) => ({ ...view, files: [ADDED_FILE] })],
]

describe('a changed view', needs('chromium'), () => {
  let fixture: BrowserFixture
  let page: Page
  const hosts = new Set<string>()
  beforeAll(async () => {
    fixture = await startBrowserFixture({ settings: [REQUESTS_FOR_ANYONE] })
    page = await fixture.newVisitor()
    page.on('request', (sent) => hosts.add(new URL(sent.url()).host))
  })
  afterAll(() => fixture.close())
  afterEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    fixture.takeErrors()
    expect([...hosts]).toEqual([new URL(fixture.url).host])
  })

  /** `genuine`: the page does not use the field, and shows the text. */
  const COLLECTED: [what: string, edit: (view: View) => View, genuine: boolean][] = [
    ...CHANGES.map(([what, edit]): [string, (view: View) => View, boolean] => [what, edit, false]),
    ['kind, to raw', (view) => ({ ...view, kind: 'raw', text: FORGED }), false],
    [
      'kind, to public, title and URL',
      (view) => ({
        ...view,
        kind: 'public',
        isPublic: true,
        title: `${FORGED}\u202e\x1b[31m`,
        url: 'https://evil.example/FORGED',
      }),
      true,
    ],
    ['file with another name', (view) => ({ ...view, files: [{ ...ADDED_FILE, name: `${FORGED}\u202etxt` }] }), false],
  ]

  test.each(COLLECTED)('CRY-19: of its %s is not shown as genuine by the collect page', async (_, edit, genuine) => {
    const request = await createTestRequest(fixture)
    const id = await submitText(fixture, request, 'echt, é ☃')
    await alterResponse(page, `**/api/v1/secret/${id}`, edit)
    await openRequestPage(page, request.collectLink)
    await page.getByRole('button', { name: 'Open submission 1' }).click()
    if (genuine) await page.locator('.secret:visible').waitFor()
    else await page.locator('[role=alert]:not(:empty)').filter({ visible: true }).first().waitFor()
    expect(await page.content()).not.toMatch(/FORGED|evil/)
  })

  const LISTS: [what: string, edit: (list: View) => View][] = [
    ['note', (list) => ({ ...list, note: FORGED })],
    [
      'URL and title',
      (list) => ({ ...list, url: 'https://evil.example/FORGED', title: FORGED, isNoteTampered: false }),
    ],
    [
      'submissions',
      (list) => ({ ...list, submissions: [{ ...(list.submissions as View[])[0], id: `${FORGED}\x1b` }] }),
    ],
  ]

  test.each(LISTS)('CRY-19: a changed %s of the list is not shown by the collect page', async (_, edit) => {
    const request = await createTestRequest(fixture)
    await submitText(fixture, request)
    await alterResponse(page, `**/api/v1/request/${request.id}/collect`, edit)
    await openRequestPage(page, request.collectLink)
    await page.locator('main table, [role=alert]:not(:empty)').filter({ visible: true }).first().waitFor()
    expect(await page.content()).not.toMatch(/FORGED|evil/)
  })

  test.each(CHANGES)('of its %s is reported by the lite version', async (_, edit) => {
    const { link, id } = await createSecret(fixture)
    await alterResponse(page, `**/api/v1/secret/${id}`, edit)
    await page.goto(link.replace('/secret/', '/lite/'))
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await page
      .locator('[role=alert]:not(:empty), #mismatch')
      .filter({ visible: true })
      .first()
      .waitFor({ timeout: 15_000 })
    expect(await page.content()).not.toContain(FORGED)
  })
})
