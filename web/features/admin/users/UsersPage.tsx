import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { redirect, useLoaderData, useRevalidator } from 'react-router'
import type { ListedUser } from '#shared/api'
import { Lazy } from '../../../components/Lazy.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { useKeyShortcuts } from '../../../lib/key-shortcuts.js'
import { createLazyPart } from '../../../lib/lazy-part.js'
import { runWhenIdle } from '../../../lib/run-when-idle.js'
import { useDeferredState } from '../../../lib/use-deferred-state.js'
import { adminApi } from '../admin-api.js'
import { LoadError } from '../LoadError.js'
import { type Loaded, loadOrError } from '../load-or-error.js'
import { formatUserQuery, parseUserQuery, type UserQuery } from '../user-query.js'
import { SEARCH_KEY } from './search-key.js'
import type { OpenDialog } from './UserDialogs.js'
import { UserFilter } from './UserFilter.js'
import { UserPagination } from './UserPagination.js'
import { UserTable } from './UserTable.js'

const dialogsPart = createLazyPart(() => import('./UserDialogs.js'))

interface UserList {
  users: ListedUser[]
  total: number
  query: UserQuery
}

export const loader = loadOrError(async ({ request }): Promise<UserList> => {
  const query = parseUserQuery(new URL(request.url).searchParams)
  const { users, total } = await adminApi.listUsers(query)
  // The last row of the last page was deleted.
  if (users.length === 0 && total > 0) {
    throw redirect(formatUserQuery({ ...query, skip: Math.floor((total - 1) / query.take) * query.take }))
  }
  return { users, total, query }
})

export default function UsersPage() {
  const { t } = useTranslation('admin')
  const loaded = useLoaderData<Loaded<UserList>>()
  return (
    <Page wide heading={t('users.heading')}>
      {'data' in loaded ? <UserListView {...loaded.data} /> : <LoadError {...loaded} heading={t('users.not-loaded')} />}
    </Page>
  )
}

function UserListView({ users, total, query }: UserList) {
  const { t } = useTranslation('admin')
  const { revalidate } = useRevalidator()
  const [dialog, setDialog] = useDeferredState<OpenDialog | null>(null)
  const [message, setMessage] = useState<{ kind: 'good' | 'info'; text: string } | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const shortcut = useKeyShortcuts({ [SEARCH_KEY]: () => searchField.current?.focus() })

  // For the first press of a button.
  useEffect(() => runWhenIdle(() => void dialogsPart.load().catch(() => {})), [])
  const open = useCallback(
    (next: OpenDialog) => {
      setMessage(null)
      setDialog(next)
    },
    [setDialog],
  )
  // A dialog opens before a long table would be rendered again.
  const table = useMemo(
    () => (
      <UserTable
        users={users}
        onAction={(type, user) => open({ type, user })}
        onLocked={(text) => setMessage({ kind: 'info', text })}
      />
    ),
    [users, open],
  )
  const showDone = (text: string) => {
    setMessage({ kind: 'good', text })
    void revalidate()
  }
  return (
    <>
      <div role="status">{message && <Notice kind={message.kind}>{message.text}</Notice>}</div>
      <div className="toolbar">
        <UserFilter query={query} field={searchField} hasShortcut={shortcut.isOn} />
        <button ref={addButton} type="button" className="button primary" onClick={() => open({ type: 'add' })}>
          {t('users.add')}
        </button>
      </div>
      {table}
      <UserPagination total={total} shown={users.length} query={query} />
      {dialog && (
        <Lazy part={dialogsPart}>
          {({ UserDialogs }) => (
            <UserDialogs
              dialog={dialog}
              onDone={showDone}
              onOpen={setDialog}
              // A dialog may have opened the next one before its own `close` event.
              onClosed={() => setDialog((now) => (now === dialog ? null : now))}
              // The focus returned to a row that is about to disappear.
              onDeleted={() => addButton.current?.focus()}
            />
          )}
        </Lazy>
      )}
    </>
  )
}
