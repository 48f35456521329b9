import { useTranslation } from 'react-i18next'
import { Card } from '../../../components/Card.js'
import { CheckField } from '../../../forms/CheckField.js'
import { useKeyShortcuts } from '../../../lib/key-shortcuts.js'

/** Turns single keys off in this browser. Saved at once. */
export function KeyboardSettings() {
  const { t } = useTranslation('compose')
  const { isOn, turn } = useKeyShortcuts({})
  return (
    <Card heading={t('shortcuts.heading')}>
      <CheckField label={t('shortcuts.enabled')} hint={t('shortcuts.hint')} checked={isOn} onChange={turn} />
    </Card>
  )
}
