import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog.js'

interface Props {
  heading: string
  explanation: string
  keep: string
  act: string
}

/** While it is on the page, whoever leaves is asked: leaving ends what is under way. */
export function LeaveGuard({ heading, explanation, keep, act }: Props) {
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
      keep={keep}
      act={act}
      onAct={() => blocker.proceed?.()}
      onKeep={() => blocker.reset?.()}
    />
  )
}
