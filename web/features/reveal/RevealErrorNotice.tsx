import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '#shared/client/client'
import { ErrorText } from '../../components/ErrorText.js'
import { Notice } from '../../components/Notice.js'
import { JobError } from '../../crypto-worker/crypto-client.js'
import type { EarlierAttempt } from '../../lib/claimed-view.js'
import { formatCountdown, formatTime } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { Refusal } from './use-reveal.js'

interface Props {
  refusal: Refusal | null
  earlier: EarlierAttempt | null
  /** Seconds until a retry is possible. It uses the same claim. */
  left: number
}

/** Shows errors that belong to no field. */
export function RevealErrorNotice({ refusal, earlier, left }: Props) {
  const { t } = useTranslation('reveal')
  if (refusal?.of === 'locked') {
    if (left === 0) return null
    // Whether the secret was opened is not known.
    if (earlier) return <Notice kind="warn" role="alert" heading={t('common:errors.secret.locked')} />
    const formatExplanation = (seconds = 0) => t('locked.explanation', { time: formatCountdown(seconds, language) })
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
  if (isOutcomeUnknown(error) && !isReceived) {
    return (
      <Notice kind="warn" role="alert" heading={t('lost.heading')}>
        {describeRetry()}
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
      {!isReceived && earlier ? describeRetry() : t(isReceived ? 'failed.received' : 'failed.unused')}
    </Notice>
  )

  function describeRetry(): string {
    if (!earlier?.repeatableUntil) return t('lost.strict')
    return t('lost.explanation', { time: formatTime(earlier.repeatableUntil, language) })
  }
}
