import { useTranslation } from 'react-i18next'
import { formatBytes, formatDuration, formatPercent } from '../lib/format.js'
import { language } from '../lib/i18n.js'
import type { TransferState } from '../lib/transfers/transfer-speed.js'

/** Shorter times are not shown. */
const MIN_SHOWN_S = 10
/** Screen readers announce every quarter and every wait. */
const ANNOUNCED_STEP = 25

/** The progress of a transfer as a bar and as text. `label` names the content. */
export function TransferProgress({ label, state }: { label: string; state: TransferState }) {
  const { t } = useTranslation('files')
  const { done, total, percent, perSecond, secondsLeft, isWaiting } = state
  const facts = [
    t('progress.amount', { done: formatBytes(done, language), total: formatBytes(total, language) }),
    perSecond !== null && t('progress.speed', { speed: formatBytes(perSecond, language) }),
    secondsLeft !== null &&
      secondsLeft > MIN_SHOWN_S &&
      t('progress.left', { time: formatDuration(roundSeconds(secondsLeft), language) }),
  ]
  const step = Math.floor(percent / ANNOUNCED_STEP) * ANNOUNCED_STEP
  return (
    <div className="stack">
      {/* After the last byte, a step of unknown length follows. */}
      <progress aria-label={label} max={Math.max(total, 1)} value={done < total ? done : undefined} />
      <p className="hint">{isWaiting ? t('progress.waiting') : facts.filter(Boolean).join(' · ')}</p>
      <p className="only-read" role="status">
        {isWaiting ? t('progress.waiting') : t('progress.step', { label, percent: formatPercent(step, language) })}
      </p>
    </div>
  )
}

/** Whole minutes from two minutes on. */
const roundSeconds = (seconds: number): number => (seconds < 120 ? seconds : Math.round(seconds / 60) * 60)
