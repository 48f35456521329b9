import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Identities } from '#shared/api'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { withBase } from '../../lib/site.js'
import { listIdentities } from './proof-api.js'

/** Links to the external providers of the account. They open in a new tab, so that this page keeps its typed values. */
export function SignInAgain() {
  const { t } = useTranslation('proof')
  const [identities, setIdentities] = useState<Identities>([])
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    listIdentities().then(setIdentities, setError)
  }, [])
  return (
    <>
      <p>{t('sign-in.explanation')}</p>
      <ErrorNotice error={error} />
      <p className="actions">
        {identities.map(({ provider, label }) => (
          <a
            key={provider}
            className="button"
            target="_blank"
            rel="noopener"
            href={withBase(`/api/v1/authentication/${encodeURIComponent(provider)}/start?next=%2Faccount`)}
          >
            <bdi>{t('sign-in.action', { provider: label || provider })}</bdi>
          </a>
        ))}
      </p>
    </>
  )
}
