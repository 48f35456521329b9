import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import type { Session } from '#shared/api'
import { Card } from '../../../components/Card.js'
import { Notice } from '../../../components/Notice.js'
import { useDeferredState } from '../../../lib/use-deferred-state.js'
import { LockOutDialog } from './LockOutDialog.js'

/** Ends all access to the account, except the access that the user keeps. */
export function LockOut({ sessions }: { sessions: Session[] }) {
  const { t } = useTranslation('account')
  const { revalidate } = useRevalidator()
  const result = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useDeferredState(false)
  /** Names of the kept access; null: not locked out yet. */
  const [kept, setKept] = useState<string | null>(null)
  // After the browser has moved the focus back to the button.
  useEffect(() => {
    if (!isOpen && kept !== null) result.current?.focus()
  }, [isOpen, kept])
  const open = () => {
    setKept(null)
    setOpen(true)
  }
  const showDone = (names: string) => {
    setKept(names)
    void revalidate()
  }
  return (
    <Card heading={t('access:lock-out')}>
      <p className="hint">{t('lock-out.explanation')}</p>
      <div ref={result} role="status" tabIndex={-1}>
        {kept !== null && (
          <Notice kind="good" heading={t('lock-out.done')}>
            {kept !== '' && <p>{t('access:kept', { names: kept })}</p>}
          </Notice>
        )}
      </div>
      <p>
        <button type="button" className="button danger" onClick={open}>
          {t('access:lock-out')}
        </button>
      </p>
      {isOpen && (
        <LockOutDialog
          ownSession={sessions.find(({ current }) => current)?.id}
          onDone={showDone}
          onClosed={() => setOpen(false)}
        />
      )}
    </Card>
  )
}
