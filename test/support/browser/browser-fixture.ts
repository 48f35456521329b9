/** A running server and a browser, with an eye on everything that a page must never do. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../needs.js'
import { type RunningServer, startServer } from '../start-server.js'
import { findProgram } from '../tools.js'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** How long a browser may take to end. */
const CLOSING_MS = 20_000

/** Tests in a real browser; skipped where there is none. */
export const inChromium = (name: string, suite: () => void): void => void describe(name, needs('chromium'), suite)

export interface Stage {
  server: RunningServer
  /** The address that people use. */
  url: string
  /** Every request of every visitor so far. */
  requests: Request[]
  /** A new visitor, as after a fresh start of the browser. */
  visit(options?: BrowserContextOptions): Promise<Page>
  /** What went wrong since the last call: errors on the console, policy violations, requests to other hosts. */
  takeProblems(): string[]
  close(): Promise<void>
}

interface Options {
  env?: Record<string, string>
  /** Address to use instead of the server's own, such as that of a proxy before it. */
  publicUrl?: string
  flags?: string[]
  /** Of the server; kept afterwards. */
  dataDir?: string
  /** Where it listens, when that has to be known before; else a free port. */
  port?: number
}

export async function setStage({ env = {}, publicUrl, flags = [], dataDir, port }: Options = {}): Promise<Stage> {
  const args = port === undefined ? [] : ['--port', String(port)]
  const [server, browser] = await Promise.all([
    startServer({ env: { MAYFLY_PUBLIC_URL: publicUrl ?? '', ...env }, args, ...(dataDir && { dataDir }) }),
    chromium.launch({ executablePath: findProgram('chromium') as string, args: [...FLAGS, ...flags] }),
  ])
  const url = publicUrl ?? server.url
  const problems: string[] = []
  const requests: Request[] = []
  return {
    server,
    url,
    requests,
    visit: (options) => visit({ browser, url, problems, requests }, options),
    takeProblems: () => problems.splice(0),
    async close() {
      // On a busy machine Chromium does not always end when it is told to; then it does with the process of the tests.
      await Promise.race([browser.close(), sleep(CLOSING_MS, undefined, { ref: false })])
      await server.stop()
    },
  }
}

interface Watched {
  browser: Browser
  url: string
  problems: string[]
  requests: Request[]
}

async function visit({ browser, url, problems, requests }: Watched, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options })
  await context.addInitScript(REPORT_VIOLATIONS)
  const page = await context.newPage()
  page.on('request', (request) => {
    requests.push(request)
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'blob:' && protocol !== 'data:' && origin !== new URL(url).origin)
      problems.push(`went to ${origin}`)
  })
  page.on('pageerror', (error) => problems.push(`threw ${error.message}`))
  page.on('dialog', (dialog) => {
    problems.push(`opened a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // The browser itself notes every answer of 400 and above, and every request that found no server.
    const isAboutAnswer =
      message.text().startsWith('Failed to load resource') && /\/(api|locales)\//.test(message.location().url)
    if (!isAboutAnswer) problems.push(`${message.type()}: ${message.text()}`)
  })
  return page
}

const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  console.error('policy violation', violatedDirective, blockedURI, sample))`

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Rules that a screen breaks, each with the places. Empty is the only good answer. */
export async function findBarriers(page: Page, { inColoursOnly = false } = {}): Promise<string[]> {
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  const { violations } = await (inColoursOnly ? builder.withRules(OF_COLOURS) : builder.withTags(LEVELS))
    // In the page itself: there are no frames to gather from, and a second page for each look takes twice the time.
    .setLegacyMode(true)
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** What is on the clipboard of this visitor, as pasting shows it: pages themselves may not read it. */
export async function pasted(page: Page): Promise<string> {
  const other = await page.context().newPage()
  await other.goto('/')
  await other.locator('textarea:focus').waitFor()
  await other.keyboard.press('Control+V')
  const text = await other.locator('textarea').inputValue()
  await other.close()
  return text
}

/** Moves the page's clock, which the test has taken over, until something has happened. */
export async function runUntil(page: Page, happened: () => boolean): Promise<void> {
  const step = async () => {
    await page.clock.runFor(500)
    return happened()
  }
  await expect.poll(step, { timeout: 15_000 }).toBe(true)
}

/** Everything that the page has written into the browser, as one text. */
export const stored = (page: Page): Promise<string> =>
  page.evaluate<string>(`(async () => JSON.stringify({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: 'caches' in window ? await caches.keys() : [],
    cookies: document.cookie,
    name: window.name,
  }))()`)

export const NOTHING_STORED = JSON.stringify({
  local: {},
  session: {},
  databases: [],
  caches: [],
  cookies: '',
  name: '',
})
