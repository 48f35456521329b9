/** A page that nobody looks at hides its secret after this long. */
const HIDE_AFTER_MS = 5 * 60_000

/** Calls `hide` each time when the page was not to be seen for so long, until what it returns is called. */
export function hideWhenInactive(hide: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(hide, HIDE_AFTER_MS)
  }
  document.addEventListener('visibilitychange', change)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', change)
  }
}
