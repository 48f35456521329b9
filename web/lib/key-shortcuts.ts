import { useEffect, useState } from 'react'

/** Key in localStorage, set when the shortcuts are turned off. */
const OFF = 'search-key-off'
const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog'

/**
 * Single keys that act unless the user is typing or a dialog is open. Speech input can trigger them by accident, so the
 * user can turn them off (WCAG 2.2, 2.1.4). `actions`: by key.
 */
export function useKeyShortcuts(actions: Record<string, () => void>) {
  const [isOn, setOn] = useState(() => storage()?.getItem(OFF) == null)
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, altKey, metaKey } = event
      const isTyping = target instanceof Element && target.closest(TYPING)
      if (!Object.hasOwn(actions, key) || ctrlKey || altKey || metaKey || isTyping) return
      // Else the key would be typed into a field that the action moves the focus to.
      event.preventDefault()
      actions[key]?.()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })
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
