import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog.js'

interface Props {
  heading: string
  explanation: string
  cancelLabel: string
  confirmLabel: string
}

/** While it is mounted, leaving the page needs a confirmation. */
export function UnsavedChangesDialog({ heading, explanation, cancelLabel, confirmLabel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname)
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  useEffect(() => {
    if (blocker.state === 'blocked') dialog.current?.showModal()
  }, [blocker.state])
  return (
    <ConfirmDialog
      dialog={dialog}
      heading={heading}
      explanation={explanation}
      cancelLabel={cancelLabel}
      confirmLabel={confirmLabel}
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  )
}
