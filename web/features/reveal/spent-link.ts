/** Links whose key is of no use any more. */

/** In the state of the history entry: this browser used the last view, so a reload does not ask for a key. */
interface EntryState {
  isSpent?: boolean
}

export const isSpent = (state: EntryState | null): boolean => state?.isSpent === true

/**
 * Removes the key from the address bar and the history, after the last view or a burn. Before that it stays: a reload of a
 * secret with views left opens it again.
 */
export function removeKeyFromUrl(): void {
  const usr: EntryState = { isSpent: true }
  history.replaceState({ ...history.state, usr }, '', location.pathname)
}
