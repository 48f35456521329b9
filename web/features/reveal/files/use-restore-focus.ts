import { useEffect, useLayoutEffect, useRef } from 'react'

/** When the busy state ends and its focused button disappears, returns the focus to where it was before. */
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
