let taken = ''

/** The code behind the `#` of the address that the server printed, which goes: it must not stay in the history. */
export function readSetUpCode(): string {
  const fragment = location.hash.slice(1)
  if (fragment !== '') {
    taken = fragment
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return taken
}
