/** Screens of the app that is loaded already. A document and the scripts in it cost more than all checks of a state. */
import type { Page } from 'playwright-core'

/** Shows the same for everyone, and requests nothing. */
const EMPTY_SCREEN = '/nowhere'

/** Opens a screen: in the app when `leaveScreen` was the last step of this page, else in a new document. */
export async function visit(page: Page, path: string): Promise<void> {
  if ((await page.evaluate('window.canVisit')) === true) await page.evaluate(`visit(${JSON.stringify(path)})`)
  else await page.goto(path)
}

/** Clears cookies, storage and changed responses, as for a new visitor. The app stays loaded, with its settings. */
export async function leaveScreen(page: Page): Promise<void> {
  await leaveDocument(page)
  await page.evaluate(`${DEFINE_VISIT}; visit('${EMPTY_SCREEN}').then(() => { window.canVisit = true })`)
}

/** The same, and the next screen is opened in a new document. */
export async function leaveDocument(page: Page): Promise<void> {
  // Ends requests that a route holds, which would reach the server without the route.
  await page.evaluate('window.canVisit = false; stop()')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().clearCookies()
  if (page.url() !== 'about:blank') await page.evaluate('localStorage.clear(); sessionStorage.clear()')
}

/**
 * Resolves when the screen that was there is gone. Unsaved changes do not hold it, because the entry has no index.
 * Pages look for another session when they get the focus.
 */
const DEFINE_VISIT = `window.visit = async (path) => {
  const left = document.querySelector('#main').lastElementChild
  history.pushState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
  dispatchEvent(new Event('focus'))
  while (left.isConnected) await new Promise((resolve) => setTimeout(resolve, 5))
}`
