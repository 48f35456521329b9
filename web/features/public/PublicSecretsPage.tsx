import { useTranslation } from 'react-i18next'
import { generatePath, type LoaderFunctionArgs, useLoaderData, useParams } from 'react-router'
import type { PublicSecret } from '#shared/api'
import { EmptyState } from '../../components/EmptyState.js'
import { Link } from '../../components/Link.js'
import { Page } from '../../components/Page.js'
import { Pagination } from '../../components/Pagination.js'
import { RelativeTime } from '../../components/RelativeTime.js'
import { type Column, Table } from '../../components/Table.js'
import { api } from '../../lib/api.js'
import { sanitizeName } from '../../lib/format.js'
import { type ListPage, loadListPage } from '../../lib/pagination.js'
import { paths } from '../../lib/paths.js'

/** The public secrets of everyone, or of the user in the path. */
export const loader = ({ params: { username }, request }: LoaderFunctionArgs): Promise<ListPage<PublicSecret>> =>
  loadListPage(request, (page) => api.publicSecrets({ ...page, ...(username !== undefined && { username }) }))

export default function PublicSecretsPage() {
  const { t } = useTranslation('public')
  const name = useParams().username
  const username = name === undefined ? undefined : sanitizeName(name)
  const page = useLoaderData<ListPage<PublicSecret>>()
  const heading = username === undefined ? t('heading') : t('heading-of', { username })
  const columns: Column<PublicSecret>[] = [
    {
      name: t('title'),
      render: ({ id, title }) => (
        <Link to={generatePath(paths.secret, { secretId: id })}>
          <bdi>{sanitizeName(title ?? '') || t('untitled', { id: id.slice(0, 8) })}</bdi>
        </Link>
      ),
    },
    {
      name: t('by'),
      render: ({ username }) =>
        username === null ? (
          t('anonymous')
        ) : (
          <Link to={generatePath(paths.publicOf, { username })}>
            <bdi>{sanitizeName(username)}</bdi>
          </Link>
        ),
    },
    { name: t('expires'), render: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
  ]
  return (
    <Page wide heading={heading} lede={t('lede')}>
      {page.items.length > 0 ? (
        <Table name={heading} columns={columns} items={page.items} getKey={({ id }) => id} />
      ) : (
        <EmptyState title={username === undefined ? t('empty') : t('empty-of', { username })} hint={t('empty-hint')} />
      )}
      <Pagination page={page} label={t('pages')} previous={t('previous')} next={t('next')} />
    </Page>
  )
}
