/**
 * Pages that are reset between tests instead of closed. A process of the browser that has run the scripts of an origin
 * loads its next page in a third of the processor time.
 */
import type { Browser, BrowserContextOptions, CDPSession, Disposable, Page } from 'playwright-core'

export interface ReusablePage {
  page: Page
  /**
   * Leaves the page empty, without the cookies, storage, cache, routes, listeners and history of its visitor. Returns
   * false when it cannot: the page must be closed.
   */
  reset(): Promise<boolean>
}

const VIEWPORT = { width: 1280, height: 720 }

/** Events that tests listen to. */
const EVENTS = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'framenavigated',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
  'worker',
]

/** Methods of pages, contexts and clocks that change all that follows. */
const LASTING_CHANGES = [
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'install',
  'newCDPSession',
  'pauseAt',
  'setExtraHTTPHeaders',
  'setFixedTime',
  'setGeolocation',
  'setOffline',
  'setSystemTime',
]

/** With the headers of the app, because other ones would make the browser start another process and another session. */
export const EMPTY_PAGE = {
  contentType: 'text/html',
  headers: {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'origin-agent-cluster': '?1',
  },
  body: '<!doctype html>',
}

/** A page in a new context. `initScript` runs in every document. */
export async function openReusablePage(
  browser: Browser,
  options: BrowserContextOptions,
  initScript: string,
): Promise<ReusablePage> {
  const context = await browser.newContext(options)
  await context.addInitScript(initScript)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const origins = new Set<string>()
  let canReset = true
  for (const target of [page, context, page.clock]) onLastingChange(target, () => (canReset = false))
  page.on('crash', () => (canReset = false))
  const initScripts = [page, context].map(collectInitScripts)
  const watchOrigin = () => {
    const { origin } = new URL(page.url())
    if (origin !== 'null') origins.add(origin)
  }
  page.on('framenavigated', watchOrigin)
  return {
    page,
    async reset() {
      if (!canReset || origins.size > 1 || context.serviceWorkers().length > 0) return false
      const [origin] = origins
      for (const event of EVENTS) page.removeAllListeners(event)
      for (const scripts of initScripts) await Promise.all(scripts.splice(0).map((script) => script.dispose()))
      for (const target of [page, context]) await target.unrouteAll({ behavior: 'ignoreErrors' })
      if (origin) await leave(page, session, origin)
      // API requests of a page that opened no origin set cookies too.
      await context.clearCookies()
      await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: 'reduce', forcedColors: null })
      const viewport = options.viewport === undefined ? VIEWPORT : options.viewport
      if (viewport) await page.setViewportSize(viewport)
      page.on('framenavigated', watchOrigin)
      return true
    },
  }
}

/** Calls `report` before each method that cannot be undone. */
function onLastingChange(target: object, report: () => void): void {
  const methods = target as Record<string, ((...args: unknown[]) => unknown) | undefined>
  for (const name of LASTING_CHANGES) {
    const method = methods[name]
    if (!method) continue
    methods[name] = (...args) => {
      report()
      return method.apply(target, args)
    }
  }
}

/** Init scripts that are added from now on. */
function collectInitScripts(target: Pick<Page, 'addInitScript'>): Disposable[] {
  const added: Disposable[] = []
  const add = target.addInitScript.bind(target) as Page['addInitScript']
  target.addInitScript = async (...args: Parameters<Page['addInitScript']>) => {
    const script = await add(...args)
    added.push(script)
    return script
  }
  return added
}

/** Replaces the document by an empty one of its origin, whose storage it clears. */
async function leave(page: Page, session: CDPSession, origin: string): Promise<void> {
  const context = page.context()
  // Leaves without asking.
  page.on('dialog', (dialog) => void dialog.accept().catch(() => {}))
  await Promise.all(context.pages().map((other) => (other === page ? null : other.close())))
  const url = `${origin}/empty`
  await page.route(url, (route) => route.fulfill(EMPTY_PAGE))
  // Ends requests that are under way, whose responses would set cookies.
  await page.goto(url)
  await page.unrouteAll()
  page.removeAllListeners('dialog')
  await session.send('Network.clearBrowserCache')
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await page.evaluate("localStorage.clear(); sessionStorage.clear(); name = ''")
  await session.send('Page.resetNavigationHistory')
}
