/** A running server and visitors in a real browser, with every error that a page causes. */
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { withTimeout } from '#shared/with-timeout'
import { type RunningServer, startServer } from '../start-server.js'
import { findChromium } from '../tools.js'
import { openReusablePage, type ReusablePage } from './reusable-page.js'

/** A host name other than localhost, so that a page on plain HTTP is not a secure context. Leads to the loopback. */
export const INSECURE_HOST = 'mayfly.test'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Without a graphics card, a process of its own only copies each frame.
  '--in-process-gpu',
  `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`,
]
const CLOSE_TIMEOUT_MS = 60_000
/**
 * For clicks, navigation and what a page shows. The default of 30 s is too short for a machine that is busy with other
 * things.
 */
const PAGE_TIMEOUT_MS = 90_000

export interface BrowserFixture {
  server: RunningServer
  /** The address that visitors use. */
  url: string
  /** Every request of every visitor so far. */
  requests: Request[]
  /**
   * Opens a page without cookies, storage and cache, in a browser context of its own. It is the caller's until the test
   * ends, or until the fixture closes when it is opened outside of a test.
   */
  newVisitor(options?: BrowserContextOptions): Promise<Page>
  /** Errors since the last call: console errors, exceptions, dialogs, CSP violations, requests to other hosts. */
  takeErrors(): string[]
  /** Closes every page, then stops the server. Rejects when one of them does not end. */
  close(): Promise<void>
}

interface Options {
  env?: Record<string, string>
  /** Instance settings, such as `read_only=true`. */
  settings?: string[]
  /** Address to use instead of the server's own, such as a proxy's in front of it. */
  publicUrl?: string
  /** Data folder of the server, not deleted afterwards. */
  dataDir?: string
  /** Where the server listens; a free port by default. */
  port?: number
}

/** Starts a server, and the browser if it is not running. */
export async function startBrowserFixture({
  env = {},
  settings = [],
  publicUrl,
  dataDir,
  port,
}: Options = {}): Promise<BrowserFixture> {
  const args = port === undefined ? [] : ['--port', String(port)]
  const [server, browser] = await Promise.all([
    startServer({ env: { MAYFLY_PUBLIC_URL: publicUrl ?? '', ...env }, settings, args, ...(dataDir && { dataDir }) }),
    launchBrowser(),
  ])
  const url = publicUrl ?? server.url
  const visitors: Visitors = { browser, url, errors: [], requests: [], pages: [], idle: new Map() }
  return {
    server,
    url,
    requests: visitors.requests,
    newVisitor: (options) => takeVisitor(visitors, options),
    takeErrors: () => visitors.errors.splice(0),
    async close() {
      await closeInTime(closePages(visitors.pages), 'the pages of the browser')
      // A test may have killed it.
      const hadEnded = (await Promise.race([server.ended, null])) !== null
      await server.stop()
      const { signal } = await server.ended
      if (!hadEnded && signal === 'SIGKILL') throw new Error(`the server did not end after SIGTERM:\n${server.log()}`)
    },
  }
}

let launched: Promise<Browser> | null = null

/**
 * One browser for all test files of a worker; it ends with the worker. Contexts keep visitors apart. A browser that has
 * ended is replaced.
 */
export async function launchBrowser(): Promise<Browser> {
  const before = launched
  if (before && !(await before).isConnected() && launched === before) launched = null
  launched ??= chromium.launch({ executablePath: findChromium() as string, args: FLAGS })
  return launched
}

interface Visitors {
  browser: Browser
  url: string
  errors: string[]
  requests: Request[]
  pages: Page[]
  /** Pages that were reset, by their options. */
  idle: Map<string, ReusablePage[]>
}

async function takeVisitor(visitors: Visitors, options: BrowserContextOptions = {}): Promise<Page> {
  const test = TestRunner.getCurrentTest()
  if (test?.concurrent) throw new Error('newVisitor cannot know which of several tests asks for a page')
  const key = JSON.stringify(options)
  const idle = visitors.idle.get(key) ?? []
  visitors.idle.set(key, idle)
  const visitor = idle.pop() ?? (await openVisitor(visitors, options))
  watchPage(visitor.page, visitors)
  if (test) {
    onTestFinished(async () => {
      if (visitor.page.isClosed()) return
      if (await visitor.reset()) idle.push(visitor)
      else await closePage(visitor.page)
    })
  }
  return visitor.page
}

async function openVisitor({ browser, url, pages }: Visitors, options: BrowserContextOptions): Promise<ReusablePage> {
  const allOptions = { baseURL: url, reducedMotion: 'reduce', ...options } as const
  const visitor = await openReusablePage(browser, allOptions, REPORT_VIOLATIONS)
  visitor.page.setDefaultTimeout(PAGE_TIMEOUT_MS)
  pages.push(visitor.page)
  return visitor
}

/** Records the requests and errors of the page. */
function watchPage(page: Page, { url, errors, requests }: Visitors): void {
  page.on('request', (request) => {
    requests.push(request)
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'blob:' && protocol !== 'data:' && origin !== new URL(url).origin)
      errors.push(`request to ${origin}`)
  })
  page.on('pageerror', (error) => errors.push(`exception: ${error.message}`))
  page.on('dialog', (dialog) => {
    // Leaving a page is not prevented, so that tests can load another one.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    errors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // The browser itself logs every response of 400 and above, and every request that failed.
    const isAboutResponse =
      message.text().startsWith('Failed to load resource') && /\/(api|locales)\//.test(message.location().url)
    if (!isAboutResponse) errors.push(`${message.type()}: ${message.text()}`)
  })
}

const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  console.error('policy violation', violatedDirective, blockedURI, sample))`

/** Closes the page and its context. Requests that a route still holds are dropped. */
export async function closePage(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().close()
}

const closePages = (pages: Page[]) => Promise.all(pages.filter((page) => !page.isClosed()).map(closePage))

const closeInTime = <T>(work: Promise<T>, what: string): Promise<T> =>
  withTimeout(CLOSE_TIMEOUT_MS, work, () => new Error(`${what} did not close in ${CLOSE_TIMEOUT_MS} ms`))
