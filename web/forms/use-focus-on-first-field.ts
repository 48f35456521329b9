import { type RefObject, useEffect } from 'react'

/**
 * Moves the focus to the first field when the form appears, unless it is on an error. Not on touch screens, where that
 * opens a keyboard over the page.
 */
export function useFocusOnFirstField(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const { activeElement } = document
    const isFree = activeElement === document.body || activeElement?.tagName === 'H1'
    if (isFree && matchMedia('(pointer: fine)').matches)
      form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus()
  }, [form])
}
