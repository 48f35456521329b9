/** The public lists, kept for a moment: whoever asks over and over costs no more than whoever asks now and then. */
import type { Page } from '../contracts/page.js'
import type { PublicSecret, SecretStore } from '../contracts/storage.js'
import { boundedMap } from '../limits/bounded-map.js'

/** How long a list may be out of date: what other processes, or views of limited secrets elsewhere, have changed since. */
const KEPT_MS = 5000
/** Most lists that are kept, of up to 100 secrets each. */
const KEPT = 100

interface Kept {
  /** Epoch ms. */
  at: number
  secrets: Promise<PublicSecret[]>
}

export type PublicLists = ReturnType<typeof publicLists>

/** `now`: epoch ms. */
export function publicLists(store: Pick<SecretStore, 'listPublic'>, now: () => number) {
  let lists = boundedMap<Kept>(KEPT)

  /** What is over is never listed. `username`: as it is stored. */
  async function list(filter: { username?: string }, { skip, take }: Page): Promise<PublicSecret[]> {
    const at = now()
    const name = JSON.stringify([filter.username ?? null, skip, take])
    const kept = lists.get(name)
    const isFresh = kept && at >= kept.at && at - kept.at < KEPT_MS
    const secrets = isFresh ? kept.secrets : keep(name, { at, secrets: store.listPublic(filter, { skip, take }, at) })
    return (await secrets).filter(({ expiresAt }) => expiresAt > now())
  }

  function keep(name: string, kept: Kept): Promise<PublicSecret[]> {
    lists.set(name, kept)
    // A failed read is not kept: the next caller asks again.
    kept.secrets.catch(() => lists.get(name) === kept && lists.delete(name))
    return kept.secrets
  }

  /** To be called after what this process has changed, so that nobody here sees it late. */
  function forget(): void {
    lists = boundedMap<Kept>(KEPT)
  }

  return { list, forget }
}
