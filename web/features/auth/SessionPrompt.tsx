import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../lib/format-time.js'
import { language } from '../../lib/i18n.js'
import { useSessionRenewal } from './use-session-renewal.js'

/** Asks whether to stay signed in, and confirms it. It does not take the focus, because the user may be typing. */
export default function SessionPrompt() {
  const { t } = useTranslation('auth')
  const id = useId()
  const { endsAt, isAsking, status, cancel, update, close } = useSessionRenewal()
  const isUpdated = !isAsking && status === 'updated'
  return (
    <>
      <p className="only-read" role="status">
        {isAsking && t('session.ends', { date: formatDateTime(endsAt, language) })}
        {isUpdated && t('session.updated')}
      </p>
      {(isAsking || isUpdated) && (
        <section className="session-prompt" role="dialog" aria-modal="false" aria-labelledby={id}>
          <div>
            <h2 id={id}>{t(isUpdated ? 'session.updated' : 'session.heading')}</h2>
            <p>{t('session.ends', { date: formatDateTime(endsAt, language) })}</p>
            {status === 'failed' && (
              <p className="error" role="alert">
                {t('session.failed')}
              </p>
            )}
          </div>
          <div className="actions">
            {/* One button, so that it keeps the focus. */}
            <button
              type="button"
              className={isUpdated ? 'button' : 'button primary'}
              aria-disabled={status === 'busy'}
              onClick={isUpdated ? close : update}
            >
              {t(isUpdated ? 'session.done' : 'session.update')}
            </button>
            {isAsking && (
              <button type="button" className="button" onClick={cancel}>
                {t('session.cancel')}
              </button>
            )}
          </div>
        </section>
      )}
    </>
  )
}
