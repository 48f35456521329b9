import { useState } from 'react'
import { ApiError } from '#shared/client/client'

/** Keeps the error of the last attempt of an action. */
export function useAttempt() {
  const [error, setError] = useState<unknown>(null)
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
