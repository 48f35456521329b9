import { useEffect, useState } from 'react'
import { ApiError } from '#shared/client/client'

/** Seconds until the request can be sent again, counted down; 0 when the error does not say. */
export function useCountdown(error: unknown): number {
  const seconds = error instanceof ApiError ? (error.body.retryAfter ?? 0) : 0
  const [shown, setShown] = useState({ error, left: seconds })
  useEffect(() => {
    const end = Date.now() + seconds * 1000
    const timer = setInterval(() => {
      const left = Math.max(Math.ceil((end - Date.now()) / 1000), 0)
      setShown({ error, left })
      if (left === 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [error, seconds])
  return shown.error === error ? shown.left : seconds
}
