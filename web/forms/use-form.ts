import { type FormEvent, useRef, useState } from 'react'

/** One form that is sent: not twice at once, and what went wrong, if only before (`first`), is kept until it is sent again. */
export function useSubmit(send: () => Promise<void>, first: unknown = null) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(first)
  const isSending = useRef(false)
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isSending.current) return
    isSending.current = true
    setBusy(true)
    setFailure(null)
    try {
      await send()
    } catch (error) {
      setFailure(error)
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return { submit, isBusy, failure }
}
