import { useState } from 'react'
import { ApiError } from '#shared/client/client'

/** Keeps the error of the last attempt of an action. `initialError`: shown until the first one. */
export function useAttempt(initialError: unknown = null) {
  const [error, setError] = useState(initialError)
  /** Returns whether it succeeded. An error with the code `gone` counts as success: nothing is left to do. */
  async function attempt(action: () => Promise<unknown>, gone?: string): Promise<boolean> {
    setError(null)
    try {
      await action()
    } catch (cause) {
      const isGone = cause instanceof ApiError && cause.code === gone
      if (!isGone) setError(cause)
      return isGone
    }
    return true
  }
  return { error, attempt }
}
