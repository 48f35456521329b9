import { useTranslation } from 'react-i18next'
import { useDelayed } from './use-delayed.js'

export const SHOW_AFTER_MS = 200

/** Below the heading of a page. */
export function Loading() {
  const { t } = useTranslation()
  const isLate = useDelayed(true, SHOW_AFTER_MS)
  return (
    <div className="center" role="status">
      {isLate && (
        <>
          <div className="spinner" aria-hidden="true" />
          <p>{t('frame.loading')}</p>
        </>
      )}
    </div>
  )
}
