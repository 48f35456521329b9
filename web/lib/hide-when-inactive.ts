/** A secret is hidden when the page was in the background for this long. */
const HIDE_AFTER_MS = 5 * 60_000

/** Calls `hide` whenever the page was in the background for that long. Returns a function that stops it. */
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
