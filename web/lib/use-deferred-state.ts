import { type Dispatch, type SetStateAction, startTransition, useCallback, useState } from 'react'

/**
 * `useState` whose changes are rendered in the background: the browser paints its response to a click before a dialog
 * or form opens, which takes longer.
 */
export function useDeferredState<Value>(initial: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState(initial)
  const setDeferred = useCallback((next: SetStateAction<Value>) => startTransition(() => setValue(next)), [])
  return [value, setDeferred]
}
