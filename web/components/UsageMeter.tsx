import { formatBytes } from '../lib/format.js'
import { language } from '../lib/i18n.js'

interface Props {
  usedBytes: number
  /** null: no limit. */
  limitBytes: number | null
  /** Name of the bar for screen readers. */
  label: string
  ofLimit(amounts: { used: string; limit: string }): string
}

/** How much of a quota is used, as text and as a bar. */
export function UsageMeter({ usedBytes, limitBytes, label, ofLimit }: Props) {
  const used = formatBytes(usedBytes, language)
  if (limitBytes === null) return used
  return (
    <>
      {ofLimit({ used, limit: formatBytes(limitBytes, language) })}
      <progress aria-label={label} max={Math.max(limitBytes, 1)} value={Math.min(usedBytes, limitBytes)} />
    </>
  )
}
