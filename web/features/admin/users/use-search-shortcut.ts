import { type RefObject, useEffect, useState } from 'react'

export const SEARCH_KEY = '/'

/** In the storage of the browser: there when the key is turned off. */
const OFF = 'search-key-off'
const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog'

/**
 * A key that leads to the search, unless somebody is typing. Single keys can be in the way of those who speak to their
 * device, so it can be turned off (WCAG 2.2, 2.1.4).
 */
export function useSearchShortcut(field: RefObject<HTMLInputElement | null>) {
  const [isOn, setOn] = useState(() => storage()?.getItem(OFF) == null)
  useEffect(() => {
    if (!isOn) return
    const lead = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING)
      if (event.key !== SEARCH_KEY || event.ctrlKey || event.altKey || event.metaKey || isTyping) return
      // Or it would be typed there.
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', lead)
    return () => removeEventListener('keydown', lead)
  }, [isOn, field])
  const turn = (on: boolean) => {
    setOn(on)
    if (on) storage()?.removeItem(OFF)
    else storage()?.setItem(OFF, '')
  }
  return { isOn, turn }
}

/** Null where it is turned off: the choice lasts as long as the page. */
function storage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
