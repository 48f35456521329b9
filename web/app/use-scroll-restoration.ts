import { useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Scroll positions by history entry. In memory, because the page stores nothing in the browser. */
const positions = new Map<string, number>()

/** Scrolls a new page to the top, and restores the position on Back. */
export function useScrollRestoration(): void {
  const { key } = useLocation()
  const type = useNavigationType()
  // Before the `scroll` event that the new page causes: it must not change the position of the old page.
  useLayoutEffect(() => {
    const left = positions.get(key)
    if (type !== 'POP') scrollTo(0, 0)
    else if (left !== undefined) scrollTo(0, left)
    const savePosition = () => positions.set(key, scrollY)
    addEventListener('scroll', savePosition, { passive: true })
    return () => removeEventListener('scroll', savePosition)
  }, [key, type])
}
