import { type RefObject, useEffect, useRef } from 'react'

/** For the button that opens a form: it gets the focus when the form has closed. */
export function useFocusAfterClose(isClosed: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isClosed && wasOpen.current) button.current?.focus()
    wasOpen.current = !isClosed
  }, [isClosed])
  return button
}
