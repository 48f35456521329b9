let taken = ''

/** Reads the code from the fragment of the URL that the server printed, and removes it from the URL and the history. */
export function readSetUpCode(): string {
  const fragment = location.hash.slice(1)
  if (fragment !== '') {
    taken = fragment
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return taken
}
