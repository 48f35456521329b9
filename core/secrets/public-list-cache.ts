/** Cache of the public lists, so that frequent requests do not reach the database. */
import { LRUCache } from 'lru-cache'
import type { Page } from '../contracts/page.js'
import type { PublicSecret, SecretStore } from '../contracts/storage.js'
import { type Cache, cacheFor } from '../lib/cache-for.js'
import type { EpochMs } from '../shared/epoch-ms.js'

/** How long a list may miss changes made by other processes. */
const CACHE_MS = 5000
/** Capacity, in pages of up to 100 secrets. */
const PAGES_MAX = 100

export type PublicListCache = ReturnType<typeof createPublicListCache>

interface Parts {
  store: SecretStore
  /** Notifies the other processes of a change. */
  share(): void
  now: () => EpochMs
}

export function createPublicListCache({ store, share, now }: Parts) {
  const pages = new LRUCache<string, Cache<PublicSecret[]>>({ max: PAGES_MAX })

  /** One page, without expired secrets. `username`: normalized. */
  async function list(filter: { username?: string }, { skip, take }: Page): Promise<PublicSecret[]> {
    const key = JSON.stringify([filter.username ?? null, skip, take])
    let page = pages.get(key)
    if (!page) {
      page = cacheFor(CACHE_MS, { load: (at) => store.listPublic(filter, { skip, take }, at), now })
      pages.set(key, page)
    }
    return (await page.get()).filter(({ expiresAt }) => expiresAt > now())
  }

  return {
    list,
    /** Call after a change by another process. */
    clear: (): void => pages.clear(),
    /** Call after a change by this process, so that its callers see the change at once. */
    invalidate(): void {
      pages.clear()
      share()
    },
  }
}
