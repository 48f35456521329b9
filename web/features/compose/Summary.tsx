import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { duration, leftToRight } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { type Options, ttlOf, viewLimit } from './draft-options.js'
import { isAddress } from './ip-range.js'

/** Long enough for a number to be typed before it is read out. */
const SETTLED_MS = 500

/** What will happen, in one sentence that is always true. */
export function Summary({ options }: { options: Options }) {
  const { t } = useTranslation('home')
  const settled = useSettled(options)
  const ttl = ttlOf(settled)
  const count = viewLimit(settled)
  const time = Number.isNaN(ttl) ? null : duration(ttl, language)
  const sentences = [
    time !== null && count === null && t(settled.isPublic ? 'summary.public' : 'summary.kept', { time }),
    time !== null && count !== null && count >= 1 && t('summary.views', { count, time }),
    settled.password && !settled.isPublic && t('summary.password'),
    isAddress(settled.allowedIp.trim()) &&
      !settled.isPublic &&
      t('summary.address', { address: leftToRight(settled.allowedIp.trim()) }),
  ]
  return (
    <p className="hint summary" aria-live="polite">
      {sentences.filter(Boolean).join(' ')}
    </p>
  )
}

function useSettled(options: Options): Options {
  const [settled, setSettled] = useState(options)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(options), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [options])
  return settled
}
