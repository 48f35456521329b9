import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { type Amount, approximate, axisMaximum, labeledDays } from './amounts.js'
import { ChartFigure } from './ChartFigure.js'

interface Props {
  heading: string
  /** Oldest first. `day`: in UTC, such as 2026-11-21. */
  days: { day: string; amount: Amount }[]
}

/** In units of the picture, which is stretched to its place. A column is one unit wide. */
const HEIGHT = 100

/** A column chart with one column per day. */
export function DailyColumnChart({ heading, days }: Props) {
  const { t } = useTranslation('stats')
  const id = useId()
  const top = axisMaximum(days.map(({ amount }) => approximate(amount)))
  const most = days.reduce((best, each) => (approximate(each.amount) > approximate(best.amount) ? each : best))
  const names = { first: dayName(days[0]?.day ?? ''), last: dayName(days.at(-1)?.day ?? '') }
  const finding = t('days.finding', { ...names, most: dayName(most.day), amount: approximate(most.amount) })
  return (
    <ChartFigure
      heading={heading}
      column={t('days.day')}
      rows={days.map(({ day, amount }) => ({ label: dayName(day), amount })).reverse()}
    >
      {/* Time runs from left to right in every language. */}
      <div className="columns" role="img" aria-labelledby={id} dir="ltr">
        <span id={id} className="only-read">
          {finding}
        </span>
        <div className="scale" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{formatNumber(value, language)}</span>
          ))}
        </div>
        <svg viewBox={`0 0 ${days.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <line key={y} x2={days.length} y1={y} y2={y} />
          ))}
          {days.map(({ day, amount }, index) => {
            const height = (HEIGHT * approximate(amount)) / top
            return <rect key={day} x={index + 0.15} width={0.7} y={HEIGHT - height} height={height} />
          })}
        </svg>
        <TimeAxis days={days} />
      </div>
    </ChartFigure>
  )
}

/** Each label ends where the column of its day ends. */
function TimeAxis({ days }: Pick<Props, 'days'>) {
  const positions = new Map(days.map(({ day }, index) => [day, `${((index + 1) / days.length) * 100}%`]))
  return (
    <svg className="days" aria-hidden="true">
      {labeledDays(days).map(({ day }) => (
        <text key={day} x={positions.get(day)} y="1.2em" textAnchor="end">
          {dayName(day)}
        </text>
      ))}
    </svg>
  )
}

const dayName = (day: string): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(day))
