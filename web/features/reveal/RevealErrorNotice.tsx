import { useTranslation } from 'react-i18next'
import { NetworkError } from '#shared/client/client'
import { Notice } from '../../components/Notice.js'
import { JobError } from '../../crypto-worker/crypto-client.js'
import { errorMessage } from '../../lib/error-message.js'
import { formatDuration } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { Refusal } from './use-reveal.js'

/** Shows errors that belong to no field. A retry uses the same claim. */
export function RevealErrorNotice({ refusal }: { refusal: Refusal | null }) {
  const { t } = useTranslation('secret')
  if (refusal?.of === 'locked') {
    const { retryAfter = 0 } = refusal.error.body
    return (
      <Notice kind="warn" role="alert" heading={t('locked.heading')}>
        {t('locked.explanation', { time: formatDuration(retryAfter, language) })}
      </Notice>
    )
  }
  if (refusal?.of !== 'opening') return null
  const { error, isReceived } = refusal
  if (error instanceof NetworkError) {
    return (
      <Notice kind="warn" role="alert" heading={t('lost.heading')}>
        {t('lost.explanation')}
      </Notice>
    )
  }
  if (error instanceof JobError && error.name === 'DecryptError') {
    return (
      <Notice kind="bad" role="alert" heading={t(`sealed.${error.problem ?? 'hostile'}`)}>
        {t('sealed.explanation')}
      </Notice>
    )
  }
  return (
    <Notice kind="bad" role="alert" heading={errorMessage(error)}>
      {t(isReceived ? 'failed.received' : 'failed.unused')}
    </Notice>
  )
}
