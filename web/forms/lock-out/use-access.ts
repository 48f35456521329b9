import { useEffect, useState } from 'react'
import type { Access } from '#shared/api'

/** Loads what an account has. `load` must stay the same between renders. */
export function useAccess<Loaded extends Access>(load: () => Promise<Loaded>) {
  const [access, setAccess] = useState<Loaded | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isCurrent = true
    load().then(
      (loaded) => isCurrent && setAccess(loaded),
      (cause) => isCurrent && setError(cause),
    )
    return () => {
      isCurrent = false
    }
  }, [load])
  return { access, error, setAccess, setError }
}
