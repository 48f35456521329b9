import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { type Amount, approximate, axisMaximum } from './amounts.js'
import { ChartFigure } from './ChartFigure.js'

interface Props {
  heading: string
  /** Oldest first. `day`: in UTC, such as 2026-11-21. */
  days: { day: string; amount: Amount }[]
}

const WIDTH = 640
const HEIGHT = 196
/** Width of the axis labels, in px. */
const LEFT = 64
const TOP = 28
const BASE = 156

/** A column chart with one column per day. */
export function DailyColumnChart({ heading, days }: Props) {
  const { t } = useTranslation('stats')
  const id = useId()
  const top = axisMaximum(days.map(({ amount }) => approximate(amount)))
  const step = (WIDTH - LEFT) / days.length
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
      <svg className="columns" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id} direction="ltr">
        <title id={id}>{finding}</title>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={WIDTH} y1={yOf(value, top)} y2={yOf(value, top)} />
            <text x={LEFT - 8} y={yOf(value, top) + 4} textAnchor="end">
              {formatNumber(value, language)}
            </text>
          </g>
        ))}
        {days.map(({ day, amount }, index) => (
          <rect
            key={day}
            x={LEFT + index * step + step * 0.15}
            width={step * 0.7}
            y={yOf(approximate(amount), top)}
            height={BASE - yOf(approximate(amount), top)}
            rx="2"
          />
        ))}
        <text x={LEFT} y={BASE + 32}>
          {names.first}
        </text>
        <text x={WIDTH} y={BASE + 32} textAnchor="end">
          {names.last}
        </text>
      </svg>
    </ChartFigure>
  )
}

const yOf = (value: number, top: number) => BASE - ((BASE - TOP) * value) / top

const dayName = (day: string): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(day))
