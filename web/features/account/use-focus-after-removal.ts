import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus in a list when a row is removed. Call the returned function with the index of the row: when `rows`
 * change, the focus moves to the button of the row at that index, or to `fallback` when there is none. It stays if the
 * user has moved it meanwhile.
 */
export function useFocusAfterRemoval(
  rows: unknown,
  container: RefObject<HTMLElement | null>,
  button: string,
  fallback: string,
) {
  const row = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the rows change
  useEffect(() => {
    if (row.current === null) return
    const buttons = container.current?.querySelectorAll<HTMLElement>(button) ?? []
    const next = buttons[Math.min(row.current, buttons.length - 1)] ?? container.current?.querySelector(fallback)
    row.current = null
    const { activeElement } = document
    if (activeElement === document.body || container.current?.contains(activeElement)) next?.focus()
  }, [rows])
  return (at: number) => {
    row.current = at
  }
}
