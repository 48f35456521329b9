import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import { ApiError } from '#shared/client/client'
import { Notice } from '../../components/Notice.js'
import { errorMessage } from '../../lib/error-message.js'

/** Replaces an admin page that could not be loaded. `error`: see `Loaded`. `heading` names the missing content. */
export function LoadError({ error, heading }: { error: unknown; heading: string }) {
  const { t } = useTranslation('admin')
  const { revalidate, state } = useRevalidator()
  if (error === null || (error instanceof ApiError && error.code === 'auth.admin_only'))
    return <Notice kind="info">{t('admins-only')}</Notice>
  if (error instanceof ApiError && error.status === 403) return <Notice kind="info">{errorMessage(error)}</Notice>
  return (
    <Notice kind="bad" role="alert" heading={heading}>
      <p>{errorMessage(error)}</p>
      <button type="button" className="button" aria-disabled={state !== 'idle'} onClick={() => void revalidate()}>
        {t('common:retry')}
      </button>
    </Notice>
  )
}
