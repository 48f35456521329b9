import { useEffect, useState } from 'react'

/** True when `active` has lasted for `ms`, so that indicators of fast operations do not flash. */
export function useDelayed(active: boolean, ms: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setLate(true), ms)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [active, ms])
  return active && late
}
