import { useTranslation } from 'react-i18next'
import { generatePath, useLoaderData, useParams } from 'react-router'
import type { PublicSecret } from '#shared/api'
import { NothingHere } from '../../components/EmptyState.js'
import { Link } from '../../components/Link.js'
import { Page } from '../../components/Page.js'
import { PageLinks } from '../../components/Pagination.js'
import { Time } from '../../components/RelativeTime.js'
import { type Column, Table } from '../../components/Table.js'
import { safeName } from '../../lib/format.js'
import type { OnePage } from '../../lib/pagination.js'
import { paths } from '../../lib/paths.js'

export default function Public() {
  const { t } = useTranslation('public')
  const name = useParams().username
  const username = name === undefined ? undefined : safeName(name)
  const page = useLoaderData<OnePage<PublicSecret>>()
  const heading = username === undefined ? t('heading') : t('heading-of', { username })
  const columns: Column<PublicSecret>[] = [
    {
      name: t('title'),
      cell: ({ id, title }) => (
        <Link to={generatePath(paths.secret, { secretId: id })}>
          <bdi>{safeName(title ?? '') || t('untitled', { id: id.slice(0, 8) })}</bdi>
        </Link>
      ),
    },
    {
      name: t('by'),
      cell: ({ username }) =>
        username === null ? (
          t('anonymous')
        ) : (
          <Link to={generatePath(paths.publicOf, { username })}>
            <bdi>{safeName(username)}</bdi>
          </Link>
        ),
    },
    { name: t('expires'), cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  ]
  return (
    <Page wide heading={heading} lede={t('lede')}>
      {page.items.length > 0 ? (
        <Table name={heading} columns={columns} items={page.items} keyOf={({ id }) => id} />
      ) : (
        <NothingHere what={username === undefined ? t('empty') : t('empty-of', { username })} hint={t('empty-hint')} />
      )}
      <PageLinks page={page} label={t('pages')} previous={t('previous')} next={t('next')} />
    </Page>
  )
}
