/** Reads everything that a page has stored in the browser. */
import type { Page } from 'playwright-core'

/** Every kind of storage that a page can write to, as JSON. */
export const readStorage = (page: Page): Promise<string> =>
  page.evaluate<string>(`(async () => JSON.stringify({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: 'caches' in window ? await caches.keys() : [],
    cookies: document.cookie,
    name: window.name,
  }))()`)

export const EMPTY_STORAGE = JSON.stringify({
  local: {},
  session: {},
  databases: [],
  caches: [],
  cookies: '',
  name: '',
})
