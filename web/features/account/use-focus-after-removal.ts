import { type RefObject, useEffect, useRef } from 'react'

/**
 * For lists whose rows go away while the focus is in them. What it returns is to be called with the number of the row: once
 * `rows` have changed, the focus is on the button of the row that took its place, or on `otherwise` when there is none.
 */
export function useFocusAfterRemoval(
  rows: unknown,
  place: RefObject<HTMLElement | null>,
  button: string,
  otherwise: string,
) {
  const row = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the rows are others
  useEffect(() => {
    if (row.current === null) return
    const buttons = place.current?.querySelectorAll<HTMLElement>(button) ?? []
    const next = buttons[Math.min(row.current, buttons.length - 1)] ?? place.current?.querySelector(otherwise)
    row.current = null
    next?.focus()
  }, [rows])
  return (at: number) => {
    row.current = at
  }
}
