import { useCallback, useEffect, useState } from 'react'
import type { LazyPart } from './lazy-part.js'

/**
 * Loads a part on the first render. A part that is loaded already is there at once. React's `lazy` is slower: once its
 * fallback was shown, it waits for 300 ms before it shows the part.
 */
export function useLazyPart<Module extends object>(part: LazyPart<Module>) {
  const [module, setModule] = useState<Module | null>(() => part.current())
  const [error, setError] = useState<unknown>(null)
  const load = useCallback(() => {
    setError(null)
    part.load().then(setModule, setError)
  }, [part])
  useEffect(load, [load])
  return { module, error, retry: load }
}
