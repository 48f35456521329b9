import { useTranslation } from 'react-i18next'
import { NetworkError } from '#shared/client/client'
import { ErrorText } from '../../components/ErrorText.js'
import { Notice } from '../../components/Notice.js'
import { JobError } from '../../crypto-worker/crypto-client.js'
import { formatDuration } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { Refusal } from './use-reveal.js'

/** Shows errors that belong to no field. A retry uses the same claim. `left`: seconds until it is possible. */
export function RevealErrorNotice({ refusal, left }: { refusal: Refusal | null; left: number }) {
  const { t } = useTranslation('secret')
  if (refusal?.of === 'locked') {
    if (left === 0) return null
    const formatExplanation = (seconds = 0) => t('locked.explanation', { time: formatDuration(seconds, language) })
    return (
      <Notice kind="warn" role="alert" heading={t('locked.heading')}>
        {/* Screen readers hear the time once, and not every second. */}
        <span className="only-read">{formatExplanation(refusal.error.body.retryAfter)}</span>
        <span aria-hidden="true">{formatExplanation(left)}</span>
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
    <Notice kind="bad" role="alert" heading={<ErrorText error={error} left={left} />}>
      {t(isReceived ? 'failed.received' : 'failed.unused')}
    </Notice>
  )
}
