import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Notice } from '../../../components/Notice.js'
import { useSend } from '../../../forms/use-send.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { useSettings } from '../../../lib/settings.js'
import { sendVerification } from '../account-api.js'

/** Asks the user to confirm the e-mail address, and sends the link again. Nothing if it is confirmed, or cannot be. */
export function EmailVerification() {
  const { t } = useTranslation('account')
  const { settings } = useSettings()
  const { emailVerified } = useAccount()
  const [isSent, setSent] = useState(false)
  const { sendNow, isSending, error } = useSend(async () => {
    setSent(false)
    await sendVerification()
    setSent(true)
  })
  if (!settings.emailVerification || emailVerified !== null) return null
  return (
    <>
      <ErrorNotice error={error} />
      <Notice kind="warn" heading={t('verification.heading')}>
        <p>{t('verification.hint')}</p>
        <p role="status">{isSent && t('verification.sent')}</p>
        <button type="button" className="button" aria-disabled={isSending} onClick={sendNow}>
          {t('verification.send')}
        </button>
      </Notice>
    </>
  )
}

/** Whether the e-mail address is confirmed. Nothing if the server does not verify addresses. */
export function EmailState() {
  const { t } = useTranslation('account')
  const { settings } = useSettings()
  const { emailVerified } = useAccount()
  if (!settings.emailVerification) return null
  const isVerified = emailVerified !== null
  return (
    <span className={isVerified ? 'badge' : 'badge warn'}>
      {t(isVerified ? 'verification.verified' : 'verification.unverified')}
    </span>
  )
}
