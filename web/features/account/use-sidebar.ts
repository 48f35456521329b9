import { useEffect, useRef, useState } from 'react'

/** From here on the panel has room beside the screen; as in account.css. */
const WIDE = '(min-width: 64rem)'

/** The panel where it covers the screen: what it covers cannot be reached, Escape closes it, and the focus comes and goes. */
export function useSidebar() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const sidebar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const covered = document.querySelectorAll<HTMLElement>('main, footer')
    const close = () => setOpen(false)
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && close()
    const wide = matchMedia(WIDE)
    for (const each of covered) each.inert = true
    sidebar.current?.querySelector('a')?.focus()
    addEventListener('keydown', closeOnEscape)
    wide.addEventListener('change', close)
    return () => {
      for (const each of covered) each.inert = false
      // Where the panel has room the button is not there, and the focus stays.
      button.current?.focus()
      removeEventListener('keydown', closeOnEscape)
      wide.removeEventListener('change', close)
    }
  }, [isOpen])
  return { isOpen, setOpen, button, sidebar }
}
