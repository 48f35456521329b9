import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpochMs } from '#shared/epoch-ms'
import { sanitizeName } from '../../../lib/format.js'
import { readLabels, storeLabel } from '../../../lib/secret-labels.js'

/** The label under which this browser lists a secret or request of the user; nothing without one. */
export function KeptLabel({ id, expiresAt }: { id: string; expiresAt: EpochMs }) {
  const { t } = useTranslation('compose')
  const headingId = useId()
  const [label, setLabel] = useState(() => readLabels().get(id))
  if (label === undefined) return null
  const name = sanitizeName(label)
  const remove = () => {
    storeLabel(id, { label: '', expiresAt }, Date.now())
    setLabel(undefined)
  }
  return (
    <section className="card" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('label.name')}</h2>
      <p>
        <bdi translate="no">{name}</bdi>
      </p>
      <p className="hint">{t('label.hint')}</p>
      <button type="button" className="button" onClick={remove}>
        {t('label.remove', { name })}
      </button>
    </section>
  )
}
