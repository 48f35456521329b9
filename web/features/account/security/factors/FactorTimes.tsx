import { useTranslation } from 'react-i18next'
import { formatDateTime, formatRelativeTime } from '../../../../lib/format-time.js'
import { language } from '../../../../lib/i18n.js'

/** When a factor was added and used. */
export function FactorTimes({
  factor: { createdAt, usedAt },
}: {
  factor: { createdAt: number; usedAt: number | null }
}) {
  const { t } = useTranslation('access')
  const date = formatDateTime(createdAt, language)
  return (
    <p className="hint">
      {usedAt === null
        ? t('added', { date })
        : t('used', { date, relative: formatRelativeTime(usedAt, Date.now(), language) })}
    </p>
  )
}
