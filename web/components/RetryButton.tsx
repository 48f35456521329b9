import { useTranslation } from 'react-i18next'
import { OutdatedError } from '../lib/lazy-part.js'

interface Props {
  error: unknown
  /** Without it, the button submits the form. */
  onRetry?: () => void
}

/** Tries again after an error, or reloads the page when the server was updated. */
export function RetryButton({ error, onRetry }: Props) {
  const { t } = useTranslation()
  if (error instanceof OutdatedError) {
    return (
      <button type="button" className="button" onClick={() => location.reload()}>
        {t('error.reload')}
      </button>
    )
  }
  return (
    <button type={onRetry ? 'button' : 'submit'} className="button" onClick={onRetry}>
      {t('retry')}
    </button>
  )
}
