import { useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Where each entry of the history was left. In memory: the page writes nothing into the browser. */
const positions = new Map<string, number>()

/** A new screen starts at its top; Back finds the place where it was left. */
export function useScrollRestoration(): void {
  const { key } = useLocation()
  const type = useNavigationType()
  // Before the browser tells of the scrolling that a new screen causes: that is none of the old screen's.
  useLayoutEffect(() => {
    const left = positions.get(key)
    if (type !== 'POP') scrollTo(0, 0)
    else if (left !== undefined) scrollTo(0, left)
    const remember = () => positions.set(key, scrollY)
    addEventListener('scroll', remember, { passive: true })
    return () => removeEventListener('scroll', remember)
  }, [key, type])
}
