import { useTranslation } from 'react-i18next'
import { bytes, duration, share } from '../lib/format.js'
import { language } from '../lib/i18n.js'
import type { Reading } from '../lib/transfers/transfer-speed.js'

/** Shorter waits are not worth a number. */
const WORTH_TELLING_S = 10
/** A screen reader is told of each quarter, and of every wait. */
const STEP = 25

/** How far a transfer is, in words and as a bar. `label`: what is being done. */
export function TransferStatus({ label, reading }: { label: string; reading: Reading }) {
  const { t } = useTranslation('files')
  const { done, total, percent, perSecond, secondsLeft, isWaiting } = reading
  const facts = [
    t('progress.amount', { done: bytes(done, language), total: bytes(total, language) }),
    perSecond !== null && t('progress.speed', { speed: bytes(perSecond, language) }),
    secondsLeft !== null &&
      secondsLeft > WORTH_TELLING_S &&
      t('progress.left', { time: duration(rounded(secondsLeft), language) }),
  ]
  const step = Math.floor(percent / STEP) * STEP
  return (
    <div className="stack">
      <progress aria-label={label} max={Math.max(total, 1)} value={total === 0 ? 1 : done} />
      <p className="hint">{isWaiting ? t('progress.waiting') : facts.filter(Boolean).join(' · ')}</p>
      <p className="only-read" role="status">
        {isWaiting ? t('progress.waiting') : t('progress.step', { label, percent: share(step, language) })}
      </p>
    </div>
  )
}

/** Nobody counts the seconds of minutes. */
const rounded = (seconds: number): number => (seconds < 120 ? seconds : Math.round(seconds / 60) * 60)
