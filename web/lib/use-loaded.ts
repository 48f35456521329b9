import { useEffect, useState } from 'react'

/** Loads a value when the component appears. `load` must stay the same between renders. */
export function useLoaded<T>(load: () => Promise<T>) {
  const [value, setValue] = useState<T | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isCurrent = true
    load().then(
      (loaded) => isCurrent && setValue(loaded),
      (cause) => isCurrent && setError(cause),
    )
    return () => {
      isCurrent = false
    }
  }, [load])
  return { value, setValue, error }
}
