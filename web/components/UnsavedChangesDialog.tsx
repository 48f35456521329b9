import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog.js'

interface Props {
  heading: string
  explanation: string
  cancelLabel: string
  confirmLabel: string
}

/** While it is mounted, leaving the page needs a confirmation. */
export function UnsavedChangesDialog(question: Props) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname)
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  if (blocker.state !== 'blocked') return null
  return <ConfirmDialog {...question} onConfirm={blocker.proceed} onClosed={blocker.reset} />
}
