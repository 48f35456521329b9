import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatInDuration, isolateLtr } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { Options } from './draft/draft-store.js'
import { ttlSeconds } from './draft/expiry-options.js'
import { isIpRange } from './draft/ip-range.js'
import { maxViewsOf } from './draft/validate-draft.js'

/** So that a screen reader does not read every digit that is typed. */
const DEBOUNCE_MS = 500

/** Summarizes the options in a sentence. Screen readers hear it when the options no longer change. */
export function Summary({ options }: { options: Options }) {
  const settled = useDebounced(options)
  return (
    <>
      <p className="hint summary" aria-hidden="true">
        {useSummary(options)}
      </p>
      <p className="only-read" aria-live="polite">
        {useSummary(settled)}
      </p>
    </>
  )
}

function useSummary(options: Options): string {
  const { t } = useTranslation('compose')
  const ttl = ttlSeconds(options)
  const count = maxViewsOf(options)
  const time = Number.isNaN(ttl) ? null : formatInDuration(ttl, language)
  const sentences = [
    time !== null && count === null && t(options.isPublic ? 'summary.public' : 'summary.kept', { time }),
    time !== null && count !== null && count >= 1 && t('summary.views', { count, time }),
    options.password && !options.isPublic && t('summary.password'),
    isIpRange(options.allowedIp.trim()) &&
      !options.isPublic &&
      t('summary.address', { address: isolateLtr(options.allowedIp.trim()) }),
  ]
  return sentences.filter(Boolean).join(' ')
}

function useDebounced(options: Options): Options {
  const [settled, setSettled] = useState(options)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(options), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [options])
  return settled
}
