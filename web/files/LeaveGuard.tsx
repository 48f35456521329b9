import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '../parts/ConfirmDialog.js'

/** While it is on the page, whoever leaves is asked: leaving ends what is under way. */
export function LeaveGuard({ explanation }: { explanation: string }) {
  const { t } = useTranslation('files')
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
      heading={t('leave.question')}
      explanation={explanation}
      keep={t('leave.stay')}
      act={t('leave.confirm')}
      onAct={() => blocker.proceed?.()}
      onKeep={() => blocker.reset?.()}
    />
  )
}
