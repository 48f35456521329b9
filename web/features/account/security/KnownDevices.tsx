import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { useAttempt } from '../../../lib/use-attempt.js'
import { forgetDevices } from '../account-api.js'

/** Explains remembered browsers, with a button that forgets all except this one. */
export function KnownDevices() {
  const { t } = useTranslation('account')
  const id = useId()
  const [message, setMessage] = useState('')
  const { error, attempt } = useAttempt()
  const forget = async () => {
    setMessage('')
    if (await attempt(forgetDevices)) setMessage(t('devices.done'))
  }
  return (
    <section className="card" aria-labelledby={id}>
      <div className="between">
        <h2 id={id}>{t('access:devices')}</h2>
        <button type="button" className="button" onClick={forget}>
          {t('devices.forget')}
        </button>
      </div>
      <p className="hint">{t('devices.explanation')}</p>
      <p className="status" role="status">
        {message}
      </p>
      <ErrorNotice error={error} />
    </section>
  )
}
