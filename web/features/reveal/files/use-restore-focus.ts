import { useEffect, useLayoutEffect, useRef } from 'react'

/** Once what kept the page busy has taken its buttons along, the focus is back where it was before, unless it went elsewhere. */
export function useRestoreFocus(isBusy: boolean): void {
  const before = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (isBusy) before.current = document.activeElement
  }, [isBusy])
  useEffect(() => {
    const wasAt = before.current
    if (!isBusy && document.activeElement === document.body && wasAt instanceof HTMLElement) wasAt.focus()
  }, [isBusy])
}
