import { type RefObject, useEffect, useState } from 'react'

export const SEARCH_KEY = '/'

/** Key in localStorage, set when the shortcut is turned off. */
const OFF = 'search-key-off'
const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog'

/**
 * A key that moves the focus to the search, unless the user is typing. Speech input can trigger single-key shortcuts by
 * accident, so it can be turned off (WCAG 2.2, 2.1.4).
 */
export function useSearchShortcut(field: RefObject<HTMLInputElement | null>) {
  const [isOn, setOn] = useState(() => storage()?.getItem(OFF) == null)
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING)
      if (event.key !== SEARCH_KEY || event.ctrlKey || event.altKey || event.metaKey || isTyping) return
      // Else the key would be typed into the field.
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isOn, field])
  const setEnabled = (on: boolean) => {
    setOn(on)
    if (on) storage()?.removeItem(OFF)
    else storage()?.setItem(OFF, '')
  }
  return { isOn, turn: setEnabled }
}

/** Null when storage is blocked: the choice then lasts until the page is closed. */
function storage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
