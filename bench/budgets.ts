/** Budgets of the pages, and their measured values: transferred bytes, and times on a slow phone. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { CLI, startServer } from '#test/start-server'
import { type Answer, createLink, createPageLoader, launchBrowser, type PageWeight } from './page-weight.js'
import { median } from './statistics.js'

export interface Budget {
  what: string
  value: number
  limit: number
  unit: 'kB' | 'ms' | 'requests'
}

/** 1.6 Mbit/s, 150 ms latency, CPU slowed down four times. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const SLOW_CPU = { rate: 4 }
/** A longer task, in ms, counts towards the total blocking time. */
const LONG_TASK_MS = 50

/** Hybrid keys and submission tags: the worker of each request page, less the worker of the page of a secret. */
export function requestBudgets(pages: PageWeight[]): Budget[] {
  const bytesOf = (name: PageWeight['page']) => pages.find(({ page }) => page === name)?.workerBytes ?? Number.NaN
  return (['request form', 'request', 'collect'] as const).map((page) => ({
    what: `worker of the ${page} page, less the worker of the page of a secret`,
    value: (bytesOf(page) - bytesOf('reveal')) / 1000,
    limit: 4,
    unit: 'kB',
  }))
}

/**
 * Null without Chromium. `loads`: of each page; the median counts, because single loads vary with the load of the
 * machine.
 */
export async function budgets(loads: number): Promise<Budget[] | null> {
  const browser = await launchBrowser()
  if (!browser) return null
  const server = await startServer({ env: { MAYFLY_LOG: 'warn' } })
  try {
    return [...(await weights(browser, server.url)), ...(await waits(browser, server.url, loads))]
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** In kB, of pages with several forms: all ways to sign in; settings, policies and presets. */
const LARGER_PAGES: Record<string, number> = { '/account/security': 33, '/account/instance-settings': 27 }
const PAGE_LIMIT = 25

async function weights(browser: Browser, target: string): Promise<Budget[]> {
  const { load, stop } = await createPageLoader(browser, target)
  const home = await load('/')
  const lite = await load('/lite')
  const kB = (what: string, responses: Answer[], limit: number): Budget => ({
    what,
    value: size(responses),
    limit,
    unit: 'kB',
  })
  // With the chunks of the folder of a page, which its next page needs as well.
  const lazy: Budget[] = []
  for (const path of routes()) {
    const scripts = of(await load(path), 'javascript')
    const own = scripts.filter((each) => !home.some(({ path }) => path === each.path))
    lazy.push(kB(`scripts of ${path} alone`, own, LARGER_PAGES[path] ?? PAGE_LIMIT))
  }
  stop()
  return [
    kB('scripts of /', of(home, 'javascript'), 120),
    kB('styles', of(home, 'text/css'), 8),
    kB('page of /', of(home, 'text/html'), 5),
    kB(
      'words of /',
      home.filter(({ path }) => path.startsWith('/locales/')),
      6,
    ),
    // It checks each response, and finds links in pasted texts.
    kB(
      '/lite in all',
      lite.filter(({ path }) => !/icon|manifest/.test(path)),
      30,
    ),
    ...lazy,
    { what: 'requests before one can type', value: await requestsToType(browser, target), limit: 6, unit: 'requests' },
  ]
}

/** Paths of the app without parameters, from the build's site.json. */
function routes(): string[] {
  const { routes } = JSON.parse(readFileSync(join(dirname(CLI), 'web/site.json'), 'utf8')) as { routes: string[] }
  return routes.filter((path) => !/:|^\/(lite)?$/.test(path))
}

const of = (responses: Answer[], type: string) => responses.filter((response) => response.type.includes(type))
const size = (responses: Answer[]) => responses.reduce((sum, { bytes }) => sum + bytes, 0) / 1000

/** Counts the requests that end before there is a text field, while the scripts of the app are delayed. */
async function requestsToType(browser: Browser, target: string): Promise<number> {
  const page = await browser.newPage()
  const answered = new Set<string>()
  page.on('requestfinished', (request) => answered.add(request.url()))
  await page.route('**/*', (route) =>
    /\.(json|webmanifest|svg)$|assets\/.*\.js$/.test(route.request().url()) ? undefined : route.continue(),
  )
  await page.goto(`${target}/`, { waitUntil: 'commit' })
  await page.locator('textarea').fill('typed')
  await page.close()
  return answered.size
}

async function waits(browser: Browser, target: string, loads: number): Promise<Budget[]> {
  const home: Waits[] = []
  const secret: Waits[] = []
  const link = await createLink(target)
  while (home.length < loads) {
    home.push(await waitsOfOne(browser, target, '/'))
    secret.push(await waitsOfOne(browser, target, link))
  }
  const ms = (what: string, values: number[], limit: number): Budget => ({
    what,
    value: median(values),
    limit,
    unit: 'ms',
  })
  return [
    ms('largest contentful paint of /, slow line and processor', home.map(toPaint), 900),
    ms('largest contentful paint of the page of a secret', secret.map(toPaint), 1000),
    ms('blocked while loading, slow line and processor', home.map(toBlocked), 100),
    ms('blocked while loading the page of a secret, slow line and processor', secret.map(toBlocked), 100),
  ]
}

const toPaint = ({ paint }: Waits) => paint
const toBlocked = ({ blocked }: Waits) => blocked

/** In ms. */
interface Waits {
  paint: number
  blocked: number
}

async function waitsOfOne(browser: Browser, target: string, path: string): Promise<Waits> {
  const page = await browser.newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_LINE)
  await session.send('Emulation.setCPUThrottlingRate', SLOW_CPU)
  await page.addInitScript(`globalThis.seen = { paint: 0, blocked: 0 }
    new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) seen.paint = startTime })
      .observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) seen.blocked += duration - ${LONG_TASK_MS} })
      .observe({ type: 'longtask', buffered: true })`)
  await page.goto(target + path, { waitUntil: 'networkidle' })
  const seen = await page.evaluate<Waits>('seen')
  await page.close()
  return seen
}
