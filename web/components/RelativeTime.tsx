import type { EpochMs } from '#shared/epoch-ms'
import { formatDateTime, formatRelativeTime } from '../lib/format-time.js'
import { language } from '../lib/i18n.js'

/** "in 3 hours", with the date as a tooltip. */
export function RelativeTime({ at }: { at: EpochMs }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at, language)}>
      {formatRelativeTime(at, Date.now(), language)}
    </time>
  )
}
