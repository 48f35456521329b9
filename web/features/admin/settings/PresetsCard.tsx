import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Lazy } from '../../../components/Lazy.js'
import { createLazyPart } from '../../../lib/lazy-part.js'

const presetsPart = createLazyPart(() => import('./PresetsForm.js'))

/** Closed until an administrator opens it, which loads the form. */
export function PresetsCard() {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="card" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>{t('presets.heading')}</h2>
      </summary>
      {isOpen && <Lazy part={presetsPart}>{({ PresetsForm }) => <PresetsForm />}</Lazy>}
    </details>
  )
}
