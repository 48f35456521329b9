import { useRef, useState } from 'react'

/** Runs `send`, once at a time, and keeps the error of the last run. */
export function useSend(send: () => Promise<unknown>, initialError: unknown = null) {
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(initialError)
  const isRunning = useRef(false)
  async function sendNow(): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    setSending(true)
    setError(null)
    try {
      await send()
    } catch (cause) {
      setError(cause)
    } finally {
      isRunning.current = false
      setSending(false)
    }
  }
  return { sendNow, isSending, error, setError }
}
