import { moment, relative } from '../lib/format.js'
import { language } from '../lib/i18n.js'

/** "in 3 hours", with the date for who wants to know. `at`: epoch ms. */
export function Time({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at, language)}>
      {relative(at, Date.now(), language)}
    </time>
  )
}
