import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../components/Card.js'
import { Outcome } from '../../../components/Outcome.js'
import { useAttempt } from '../../../lib/use-attempt.js'
import { forgetDevices } from '../account-api.js'

/** Explains remembered browsers, with a button that forgets all except this one. */
export function KnownDevices() {
  const { t } = useTranslation('account')
  const [message, setMessage] = useState('')
  const { error, attempt } = useAttempt()
  const forget = async () => {
    setMessage('')
    if (await attempt(forgetDevices)) setMessage(t('devices.done'))
  }
  return (
    <Card
      heading={t('access:devices')}
      action={
        <button type="button" className="button" onClick={forget}>
          {t('devices.forget')}
        </button>
      }
    >
      <p className="hint">{t('devices.explanation')}</p>
      <Outcome message={message} error={error} />
    </Card>
  )
}
