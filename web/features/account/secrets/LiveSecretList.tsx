import { memo, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import type { OwnSecret } from '#shared/api'
import { EmptyState } from '../../../components/EmptyState.js'
import { Link } from '../../../components/Link.js'
import { Outcome } from '../../../components/Outcome.js'
import { Table } from '../../../components/Table.js'
import { api } from '../../../lib/api.js'
import type { ListPage } from '../../../lib/pagination.js'
import { paths } from '../../../lib/paths.js'
import { readLabels } from '../../../lib/secret-labels.js'
import { useAttempt } from '../../../lib/use-attempt.js'
import { useDeferredState } from '../../../lib/use-deferred-state.js'
import { ListPages } from '../ListPages.js'
import { ListSearch, useListSearch } from '../ListSearch.js'
import { useFocusAfterRemoval } from '../use-focus-after-removal.js'
import { EditSecretDialog } from './EditSecretDialog.js'
import { SecretDetails } from './SecretDetails.js'
import { secretName } from './secret-name.js'
import { type SecretColumnOptions, useSecretColumns } from './use-secret-columns.js'

/** Live secrets, which can be edited and burned. */
export function LiveSecretList({ page }: { page: ListPage<OwnSecret> }) {
  const { t } = useTranslation('account')
  const secrets = page.items
  const { revalidate } = useRevalidator()
  const [message, setMessage] = useState('')
  const [labels, setLabels] = useState(readLabels)
  const [edited, setEdited] = useDeferredState<OwnSecret | null>(null)
  const [shown, setShown] = useDeferredState<OwnSecret | null>(null)
  const { error, attempt } = useAttempt()
  const nameOf = useCallback((secret: OwnSecret) => secretName(secret, labels.get(secret.id)), [labels])
  const search = useListSearch(secrets, nameOf)
  const container = useRef<HTMLDivElement>(null)
  const focusAfter = useFocusAfterRemoval(secrets, container, 'td > .actions > .danger', 'a')
  const burn = async (secret: OwnSecret, index: number) => {
    if (!(await attempt(() => api.burn(secret.id, {}), 'secret.not_found'))) return
    setMessage(t('secrets.burned', { name: nameOf(secret) }))
    focusAfter(index)
    await revalidate()
  }
  const showEdited = () => {
    setLabels(readLabels())
    setMessage(t('secrets.edited'))
    void revalidate()
  }
  // The same function in every render, for the table.
  const latestBurn = useRef(burn)
  latestBurn.current = burn
  const onBurn = useCallback((secret: OwnSecret, index: number) => void latestBurn.current(secret, index), [])
  return (
    <>
      <Outcome message={message} error={error} />
      <div ref={container} className="stack">
        {secrets.length === 0 ? (
          <EmptyState title={t('secrets.none')} hint={t('secrets.none-hint')} />
        ) : (
          <>
            <ListSearch search={search} />
            <SecretTable secrets={search.found} labels={labels} onShow={setShown} onEdit={setEdited} onBurn={onBurn} />
            <p>
              <Link className="button" to={paths.home}>
                {t('secrets.new')}
              </Link>
            </p>
          </>
        )}
      </div>
      {shown && <SecretDetails secret={shown} name={nameOf(shown)} onClosed={() => setShown(null)} />}
      {edited && (
        <EditSecretDialog
          key={edited.id}
          secret={edited}
          name={nameOf(edited)}
          label={labels.get(edited.id) ?? ''}
          onChanged={showEdited}
          onClosed={() => setEdited(null)}
        />
      )}
      <ListPages page={page} />
    </>
  )
}

interface TableProps extends SecretColumnOptions {
  secrets: OwnSecret[]
}

/** Not rendered again when a dialog opens or closes: many rows take longer than a click may. */
const SecretTable = memo(function SecretTable({ secrets, ...options }: TableProps) {
  const { t } = useTranslation('account')
  const columns = useSecretColumns(options)
  if (secrets.length === 0) return null
  return <Table name={t('secrets.heading')} columns={columns} items={secrets} getKey={({ id }) => id} />
})
