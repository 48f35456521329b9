import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import { Card } from '../../../components/Card.js'
import { CheckField } from '../../../forms/CheckField.js'
import { isolateLtr } from '../../../lib/format.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { useSettings } from '../../../lib/settings.js'
import { useAttempt } from '../../../lib/use-attempt.js'
import { setNotifications } from '../account-api.js'

/** The notifications of the account. Saved at once. Nothing if the server sends none. */
export function NotificationSettings() {
  const { t } = useTranslation('account')
  const { settings } = useSettings()
  const { email, emailVerified, notifications, signInAlerts } = useAccount()
  const { revalidate } = useRevalidator()
  const [values, setValues] = useState({ enabled: notifications, signInAlerts })
  const [message, setMessage] = useState('')
  const { error, attempt } = useAttempt()
  if (!settings.notifications) return null
  const isUnconfirmed = settings.emailVerification && emailVerified === null
  const change = async (changes: Partial<typeof values>) => {
    setValues({ ...values, ...changes })
    setMessage('')
    if (!(await attempt(() => setNotifications(changes)))) return setValues(values)
    setMessage(t('settings.done'))
    await revalidate()
  }
  return (
    <Card heading={t('notifications.heading')} outcome={{ message, error }}>
      <CheckField
        label={t('notifications.label')}
        hint={isUnconfirmed ? t('verification.hint') : t('notifications.hint', { email: isolateLtr(email) })}
        checked={values.enabled}
        disabled={isUnconfirmed}
        onChange={(enabled) => change({ enabled })}
      />
      {settings.emailVerification && (
        <CheckField
          label={t('notifications.alerts')}
          hint={t('notifications.alerts-hint')}
          checked={values.signInAlerts}
          onChange={(isOn) => change({ signInAlerts: isOn })}
        />
      )}
    </Card>
  )
}
