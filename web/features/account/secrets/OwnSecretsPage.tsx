import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useRevalidator } from 'react-router'
import type { OwnSecret } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { EmptyState } from '../../../components/EmptyState.js'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Link } from '../../../components/Link.js'
import { Page } from '../../../components/Page.js'
import { Pagination } from '../../../components/Pagination.js'
import { Table } from '../../../components/Table.js'
import { api } from '../../../lib/api.js'
import { type ListPage, loadListPage } from '../../../lib/pagination.js'
import { paths } from '../../../lib/paths.js'
import { requireSession } from '../../../lib/session/require-session.js'
import { useFocusAfterRemoval } from '../use-focus-after-removal.js'
import { secretName, useSecretColumns } from './use-secret-columns.js'

/** The user's own secrets, newest first. */
export const loader = requireSession(({ request }) => loadListPage(request, api.ownSecrets))

export default function OwnSecretsPage() {
  const { t } = useTranslation('account')
  const page = useLoaderData<ListPage<OwnSecret>>()
  const secrets = page.items
  const { revalidate } = useRevalidator()
  const [burned, setBurned] = useState('')
  const [error, setError] = useState<unknown>(null)
  const container = useRef<HTMLDivElement>(null)
  const focusAfter = useFocusAfterRemoval(secrets, container, 'td > button', 'a')
  const burn = async (secret: OwnSecret, index: number) => {
    setError(null)
    try {
      await api.burn(secret.id, {})
    } catch (cause) {
      // Already gone.
      if (!(cause instanceof ApiError && cause.code === 'secret.not_found')) return setError(cause)
    }
    setBurned(secretName(secret))
    focusAfter(index)
    await revalidate()
  }
  const columns = useSecretColumns(burn)
  return (
    <Page wide heading={t('secrets.heading')} lede={t('secrets.lede')}>
      <p className="status" role="status">
        {burned !== '' && t('secrets.burned', { name: burned })}
      </p>
      <ErrorNotice error={error} />
      <div ref={container} className="stack">
        {secrets.length === 0 ? (
          <EmptyState title={t('secrets.none')} hint={t('secrets.none-hint')} />
        ) : (
          <>
            <Table name={t('secrets.heading')} columns={columns} items={secrets} getKey={({ id }) => id} />
            <p>
              <Link className="button" to={paths.home}>
                {t('secrets.new')}
              </Link>
            </p>
          </>
        )}
      </div>
      <Pagination page={page} label={t('secrets.pages')} previous={t('secrets.previous')} next={t('secrets.next')} />
    </Page>
  )
}
