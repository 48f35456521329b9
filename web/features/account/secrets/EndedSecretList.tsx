import { memo, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EndedSecret } from '#shared/api'
import { EmptyState } from '../../../components/EmptyState.js'
import { RelativeTime } from '../../../components/RelativeTime.js'
import { type Column, Table } from '../../../components/Table.js'
import { formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import type { ListPage } from '../../../lib/pagination.js'
import { readLabels } from '../../../lib/secret-labels.js'
import { site } from '../../../lib/site.js'
import { ListPages } from '../ListPages.js'
import { ListSearch, useListSearch } from '../ListSearch.js'
import { SecretName } from './SecretName.js'
import { SecretOptions } from './SecretOptions.js'
import { secretName } from './secret-name.js'
import { formatSecretFilter, type SecretFilter, toEndedState } from './secret-query.js'

interface Props {
  page: ListPage<EndedSecret>
  filter: SecretFilter
}

/** How and when secrets ended, with links that export all of them. */
export function EndedSecretList({ page, filter }: Props) {
  const { t } = useTranslation('account')
  const [labels] = useState(readLabels)
  const nameOf = useCallback(({ id }: EndedSecret) => secretName({ id, title: null }, labels.get(id)), [labels])
  const search = useListSearch(page.items, nameOf)
  if (page.items.length === 0 && page.before === null) {
    return (
      <EmptyState title={t('history.none')} hint={t('history.none-hint')}>
        {null}
      </EmptyState>
    )
  }
  return (
    <>
      <ListSearch search={search} />
      <EndedTable secrets={search.found} labels={labels} />
      <p className="actions">
        {(['csv', 'ndjson'] as const).map((format) => (
          <a key={format} className="button" href={exportAddress(format, filter)} download>
            {t(`history.${format}`)}
          </a>
        ))}
      </p>
      <ListPages page={page} query={formatSecretFilter(filter)} />
    </>
  )
}

interface TableProps {
  secrets: EndedSecret[]
  labels: Map<string, string>
}

/** Rendered after the character that the user typed into the search field. */
const EndedTable = memo(function EndedTable({ secrets, labels }: TableProps) {
  const { t } = useTranslation('account')
  const columns = useEndedColumns(labels)
  if (secrets.length === 0) return null
  return <Table name={t('history.heading')} columns={columns} items={secrets} getKey={({ id }) => id} />
})

/** A plain link, so that the browser stores the file while it arrives. */
function exportAddress(format: string, filter: SecretFilter): string {
  const state = toEndedState(filter)
  return `${site.base}/api/v1/secret/ended/export?format=${format}${state === undefined ? '' : `&state=${state}`}`
}

function useEndedColumns(labels: Map<string, string>): Column<EndedSecret>[] {
  const { t } = useTranslation('account')
  const formatViews = ({ views, maxViews }: EndedSecret) =>
    maxViews === null ? formatNumber(views, language) : t('history.views-of', { views, limit: maxViews })
  return [
    { name: t('secrets.secret'), render: ({ id }) => <SecretName id={id} label={labels.get(id)} /> },
    { name: t('secrets.created'), render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { name: t('history.what'), render: ({ state }) => t(`history.${state}`) },
    { name: t('history.when'), render: ({ endedAt }) => <RelativeTime at={endedAt} /> },
    { name: t('history.views'), render: formatViews },
    {
      name: t('secrets.options'),
      render: ({ passwordRequired, files, kind }) => (
        <SecretOptions options={{ passwordRequired, files, isPublic: kind === 'public', preventBurn: false }} />
      ),
    },
  ]
}
