import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useDelayed } from '../../components/use-delayed.js'

/** In ms. Most links are created sooner. */
const SHOWN_AFTER_MS = 2000

/** Ends a creation that takes long, such as on a slow connection. */
export function CancelButton({ onCancel }: { onCancel(): void }) {
  const { t } = useTranslation('compose')
  if (!useDelayed(true, SHOWN_AFTER_MS)) return null
  // The focus would disappear with this button.
  const cancel = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    currentTarget.form?.querySelector<HTMLElement>('[type="submit"]')?.focus()
    onCancel()
  }
  return (
    <button type="button" className="button" onClick={cancel}>
      {t('create.cancel')}
    </button>
  )
}
