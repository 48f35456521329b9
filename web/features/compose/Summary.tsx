import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, isolateLtr } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { Options } from './draft/draft-store.js'
import { ttlSeconds } from './draft/expiry-options.js'
import { isIpRange } from './draft/ip-range.js'
import { maxViewsOf } from './draft/validate-draft.js'

/** So that a screen reader does not read every digit that is typed. */
const DEBOUNCE_MS = 500

/** Summarizes the options in a sentence. */
export function Summary({ options }: { options: Options }) {
  const { t } = useTranslation('home')
  const settled = useDebounced(options)
  const ttl = ttlSeconds(settled)
  const count = maxViewsOf(settled)
  const time = Number.isNaN(ttl) ? null : formatDuration(ttl, language)
  const sentences = [
    time !== null && count === null && t(settled.isPublic ? 'summary.public' : 'summary.kept', { time }),
    time !== null && count !== null && count >= 1 && t('summary.views', { count, time }),
    settled.password && !settled.isPublic && t('summary.password'),
    isIpRange(settled.allowedIp.trim()) &&
      !settled.isPublic &&
      t('summary.address', { address: isolateLtr(settled.allowedIp.trim()) }),
  ]
  return (
    <p className="hint summary" aria-live="polite">
      {sentences.filter(Boolean).join(' ')}
    </p>
  )
}

function useDebounced(options: Options): Options {
  const [settled, setSettled] = useState(options)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(options), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [options])
  return settled
}
