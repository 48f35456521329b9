import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { type Amount, shareOf } from './amounts.js'
import { ChartFigure } from './ChartFigure.js'

interface Props {
  heading: string
  whole: number
  parts: { label: string; amount: Amount }[]
}

/** A bar chart of the shares of a whole. */
export function ShareBars({ heading, whole, parts }: Props) {
  const { t } = useTranslation('stats')
  const id = useId()
  const shown = parts.map(({ label, amount }) => {
    const { percent, isLimit } = shareOf(amount, whole)
    const text = formatPercent(percent, language)
    return isLimit ? { label, percent: 0, text: t('up-to', { time: text }) } : { label, percent, text }
  })
  const finding = new Intl.ListFormat(language).format(shown.map(({ label, text }) => `${label}: ${text}`))
  return (
    <ChartFigure heading={heading} column={t('kind')} rows={parts}>
      <div className="shares" role="img" aria-labelledby={id}>
        <span id={id} className="only-read">
          {finding}
        </span>
        {shown.map(({ label, percent, text }) => (
          <div key={label} aria-hidden="true">
            <span>{label}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect className="track" width="100" height="10" />
              <rect width={percent} height="10" />
            </svg>
            <b>{text}</b>
          </div>
        ))}
      </div>
    </ChartFigure>
  )
}
