import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckField } from '../../../forms/CheckField.js'
import { useKeyShortcuts } from '../../../lib/key-shortcuts.js'

/** Turns single keys off in this browser. Saved at once. */
export function KeyboardSettings() {
  const { t } = useTranslation('compose')
  const id = useId()
  const { isOn, turn } = useKeyShortcuts({})
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('shortcuts.heading')}</h2>
      <CheckField label={t('shortcuts.enabled')} hint={t('shortcuts.hint')} checked={isOn} onChange={turn} />
    </section>
  )
}
