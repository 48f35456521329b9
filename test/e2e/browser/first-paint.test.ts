/**
 * Requests and elements that the first paint of a page waits for. Unlike the time of the largest contentful paint, they
 * do not depend on how busy the machine is.
 */
import { setTimeout } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { createSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'

/** Text of the elements that the browser has reported as the largest so far. */
const REPORT_PAINTS = `globalThis.largest = []
  new PerformanceObserver((list) => {
    for (const { element } of list.getEntries()) largest.push(element?.textContent.trim())
  }).observe({ type: 'largest-contentful-paint', buffered: true })`

/** Whether the browser needs the file for a paint, beside the HTML. */
const isForPaint = (request: Request) => request.resourceType() === 'stylesheet' || isTheme(request)
const isTheme = (request: Request) => request.url().endsWith('/theme.js')

const STATISTICS =
  'Totals of the last 30 days in UTC. No content, no addresses, no personal data. Numbers are approximate, in steps of 5.'

/** Files that the started app loads: the worker for encryption, and passkeys for the list at the username. */
const AFTER_START = /\/(worker|ask-for-passkey|esm)-/

let fixture: BrowserFixture
afterAll(() => fixture?.close())

/** Name, largest element, path. */
describe.each([
  ['the home page', 'Share a secret', async () => '/'],
  ['the page of a secret', 'Someone sent you a secret', async (of: BrowserFixture) => (await createSecret(of)).link],
  ['the page to sign in', 'Sign in', async () => '/signin'],
  ['the list of secrets', 'Public secrets', async () => '/public'],
  ['the statistics', STATISTICS, async () => '/stats'],
] as const)('the first paint of %s', needs('chromium'), (_, largest, makePath) => {
  let path: string
  beforeAll(async () => {
    fixture ??= await startBrowserFixture()
    path = await makePath(fixture)
  })

  async function visit(waitUntil: 'commit' | 'networkidle', prepare: (page: Page) => Promise<unknown>) {
    const page = await fixture.newVisitor()
    await page.addInitScript(REPORT_PAINTS)
    await prepare(page)
    await page.goto(path, { waitUntil })
    return page
  }
  /** Paths of the stylesheets, scripts and preloaded files in the HTML. Urgent ones do not wait for others. */
  async function listFiles(isUrgent = false): Promise<string[]> {
    const html = await (await fetch(new URL(path, fixture.url))).text()
    const tags = html.match(/<(?:link rel="(?:stylesheet|preload|modulepreload)"|script) [^>]+>/g) ?? []
    return tags
      .filter((tag) => !isUrgent || !tag.includes('fetchpriority="low"'))
      .map((tag) => new URL(/(?:href|src)="([^"]+)"/.exec(tag)?.[1] ?? '', `${fixture.url}/`).pathname)
  }
  const largestOf = (page: Page) => page.evaluate<string[]>('largest')

  test('needs two round trips for urgent files, the stylesheet first, and shows the largest element from the HTML and the stylesheet', async () => {
    const requested: string[] = []
    let sendStyles = () => {}
    const checked = new Promise<void>((resolve) => {
      sendStyles = resolve
    })
    const page = await visit('commit', (page) =>
      page.route('**/*', async (route) => {
        const request = route.request()
        if (request.resourceType() === 'document') return route.continue()
        requested.push(new URL(request.url()).pathname)
        if (!isForPaint(request)) return
        await checked
        await route.continue()
      }),
    )
    const files = await listFiles(true)
    expect(files).toEqual(expect.arrayContaining(['/theme.js', '/api/v1/settings', '/locales/en/common.json']))
    await expect.poll(() => files.filter((file) => !requested.includes(file))).toEqual([])
    expect(requested[0]).toMatch(/\.css$/)
    sendStyles()
    await expect.poll(() => largestOf(page)).toEqual([largest])
  })

  test('shows the largest element until the app has started, and no script that the HTML does not list follows', async () => {
    const scripts: string[] = []
    const page = await visit('networkidle', async (page) => {
      page.on('request', (request) => {
        if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
      })
      // Slow enough for the state before the answer to be painted.
      await page.route('**/api/v1/secret/**', (route) => setTimeout(300).then(() => route.continue()))
    })
    await page.locator('footer').waitFor()
    expect(await largestOf(page)).toEqual([largest])
    expect(scripts.length).toBeGreaterThan(2)
    const files = await listFiles()
    expect(scripts.filter((script) => !files.includes(script) && !AFTER_START.test(script))).toEqual([])
  })
})
