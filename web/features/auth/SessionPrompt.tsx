import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { useSessionRenewal } from './use-session-renewal.js'

/** Asks whether to stay signed in. It does not take the focus, because the user may be typing. */
export default function SessionPrompt() {
  const { t } = useTranslation('people')
  const id = useId()
  const { endsAt, isAsking, status, cancel, update } = useSessionRenewal()
  return (
    <>
      <p className="only-read" role="status">
        {isAsking && t('session.ends', { date: formatDateTime(endsAt, language) })}
        {!isAsking && status === 'updated' && t('session.updated')}
      </p>
      {isAsking && (
        <section className="session-prompt" role="dialog" aria-modal="false" aria-labelledby={id}>
          <div>
            <h2 id={id}>{t('session.heading')}</h2>
            <p>{t('session.ends', { date: formatDateTime(endsAt, language) })}</p>
            {status === 'failed' && (
              <p className="error" role="alert">
                {t('session.failed')}
              </p>
            )}
          </div>
          <div className="actions">
            <button type="button" className="button primary" aria-disabled={status === 'busy'} onClick={update}>
              {t('session.update')}
            </button>
            <button type="button" className="button" onClick={cancel}>
              {t('session.cancel')}
            </button>
          </div>
        </section>
      )}
    </>
  )
}
