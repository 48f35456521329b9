import { useEffect, useRef, useState } from 'react'

/** The sidebar is beside the page from this width on. The same as in account.css. */
const WIDE = '(min-width: 64rem)'

/** The sidebar as an overlay on narrow screens: makes the page inert, closes on Escape and manages the focus. */
export function useSidebar() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const sidebar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const covered = document.querySelectorAll<HTMLElement>('main, .session-prompt, footer')
    const close = () => setOpen(false)
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && close()
    const wide = matchMedia(WIDE)
    for (const each of covered) each.inert = true
    sidebar.current?.querySelector('a')?.focus()
    addEventListener('keydown', closeOnEscape)
    wide.addEventListener('change', close)
    return () => {
      for (const each of covered) each.inert = false
      // On wide screens the button is hidden, and the focus stays.
      button.current?.focus()
      removeEventListener('keydown', closeOnEscape)
      wide.removeEventListener('change', close)
    }
  }, [isOpen])
  return { isOpen, setOpen, button, sidebar }
}
