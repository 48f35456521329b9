/** Links whose key is of no use any more, or only to this tab. */
import type { EpochMs } from '#shared/epoch-ms'

/** In the state of the history entry. */
interface EntryState {
  /** This browser used the last view, so a reload does not ask for a key. */
  isSpent?: boolean
  /** When this tab used the last view. */
  openedAt?: EpochMs
  /** The key, while this tab can open the secret again. */
  key?: string
}

export const isSpent = (state: EntryState | null): boolean => state?.isSpent === true

/** Null: not known. */
export const openedAtOfEntry = (state: EntryState | null): EpochMs | null =>
  Number.isFinite(state?.openedAt) ? (state?.openedAt as EpochMs) : null

/** The key that `moveKeyToEntry` moved; '' for none. */
export const keyOfEntry = (state: EntryState | null): string => (typeof state?.key === 'string' ? state.key : '')

/**
 * Moves the key from the address bar into the state of the history entry, after the last view: a reload in this tab
 * opens the secret again. With views left the key stays in the address bar.
 */
export const moveKeyToEntry = (key: string): void =>
  replaceEntry({ isSpent: true, openedAt: Date.now(), ...(key !== '' && { key }) })

/**
 * Removes the key from the address bar and the history entry: after a burn, and when this tab cannot open the secret
 * again.
 */
export function removeKeyFromUrl(): void {
  const openedAt = openedAtOfEntry(history.state?.usr)
  replaceEntry({ isSpent: true, ...(openedAt !== null && { openedAt }) })
}

function replaceEntry(usr: EntryState): void {
  history.replaceState({ ...history.state, usr }, '', location.pathname)
}
