/** In ms. The page is usable and was painted by then, also on a slow connection. */
const DELAY_MS = 3000

/** Calls the function once, after the page was loaded. Returns a function that cancels it. */
export function runWhenIdle(run: () => void): () => void {
  const timer = setTimeout(run, DELAY_MS)
  return () => clearTimeout(timer)
}
