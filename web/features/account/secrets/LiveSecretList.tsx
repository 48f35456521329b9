import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import type { OwnSecret } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { EmptyState } from '../../../components/EmptyState.js'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Link } from '../../../components/Link.js'
import { Pagination } from '../../../components/Pagination.js'
import { type Column, Table } from '../../../components/Table.js'
import { api } from '../../../lib/api.js'
import type { ListPage } from '../../../lib/pagination.js'
import { paths } from '../../../lib/paths.js'
import { readLabels } from '../../../lib/secret-labels.js'
import { useFocusAfterRemoval } from '../use-focus-after-removal.js'
import { EditSecretDialog } from './EditSecretDialog.js'
import { secretName } from './secret-name.js'
import { useSecretColumns } from './use-secret-columns.js'

/** Live secrets, which can be edited and burned. */
export function LiveSecretList({ page }: { page: ListPage<OwnSecret> }) {
  const { t } = useTranslation('account')
  const secrets = page.items
  const { revalidate } = useRevalidator()
  const [message, setMessage] = useState('')
  const [labels, setLabels] = useState(readLabels)
  const [edited, setEdited] = useState<OwnSecret | null>(null)
  const [error, setError] = useState<unknown>(null)
  const container = useRef<HTMLDivElement>(null)
  const focusAfter = useFocusAfterRemoval(secrets, container, 'td > .actions > .danger', 'a')
  const burn = async (secret: OwnSecret, index: number) => {
    setError(null)
    try {
      await api.burn(secret.id, {})
    } catch (cause) {
      // Already gone.
      if (!(cause instanceof ApiError && cause.code === 'secret.not_found')) return setError(cause)
    }
    setMessage(t('secrets.burned', { name: secretName(secret, labels.get(secret.id)) }))
    focusAfter(index)
    await revalidate()
  }
  const showEdited = () => {
    setLabels(readLabels())
    setMessage(t('secrets.edited'))
    void revalidate()
  }
  const columns = useSecretColumns({ labels, onEdit: setEdited, onBurn: burn })
  return (
    <>
      <p className="status" role="status">
        {message}
      </p>
      <ErrorNotice error={error} />
      <div ref={container} className="stack">
        <SecretList secrets={secrets} columns={columns} />
      </div>
      {edited && (
        <EditSecretDialog
          key={edited.id}
          secret={edited}
          name={secretName(edited, labels.get(edited.id))}
          label={labels.get(edited.id) ?? ''}
          onChanged={showEdited}
          onClosed={() => setEdited(null)}
        />
      )}
      <Pagination page={page} label={t('secrets.pages')} previous={t('secrets.previous')} next={t('secrets.next')} />
    </>
  )
}

function SecretList({ secrets, columns }: { secrets: OwnSecret[]; columns: Column<OwnSecret>[] }) {
  const { t } = useTranslation('account')
  if (secrets.length === 0) return <EmptyState title={t('secrets.none')} hint={t('secrets.none-hint')} />
  return (
    <>
      <Table name={t('secrets.heading')} columns={columns} items={secrets} getKey={({ id }) => id} />
      <p>
        <Link className="button" to={paths.home}>
          {t('secrets.new')}
        </Link>
      </p>
    </>
  )
}
