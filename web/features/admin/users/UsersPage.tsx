import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useRevalidator } from 'react-router'
import type { ListedUser } from '#shared/api'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { NotShown } from '../LoadError.js'
import type { Loaded } from '../load-or-error.js'
import { AddUser, type NewAccount } from './AddUserDialog.js'
import { DeleteUser } from './DeleteUserDialog.js'
import { EditUser } from './EditUserDialog.js'
import { EndSessions } from './EndSessionsDialog.js'
import type { UserPage } from './load.js'
import { Ready } from './UserCreatedDialog.js'
import { Filter } from './UserFilter.js'
import { Pager } from './UserPagination.js'
import { type Act, UserTable } from './UserTable.js'
import { SEARCH_KEY, useSearchKey } from './use-search-shortcut.js'

type Open = { what: 'add' } | { what: 'ready'; account: NewAccount } | { what: Act; user: ListedUser }

export default function Users() {
  const { t } = useTranslation('admin')
  const loaded = useLoaderData<Loaded<UserPage>>()
  return (
    <Page wide heading={t('users.heading')}>
      {'data' in loaded ? <List {...loaded.data} /> : <NotShown {...loaded} heading={t('users.not-loaded')} />}
    </Page>
  )
}

function List({ users, total, wanted }: UserPage) {
  const { t } = useTranslation('admin')
  const { revalidate } = useRevalidator()
  const [open, setOpen] = useState<Open | null>(null)
  const [said, setSaid] = useState<{ kind: 'good' | 'info'; text: string } | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const key = useSearchKey(field)

  const ask = (what: Open) => {
    setSaid(null)
    setOpen(what)
  }
  const say = (text: string) => {
    setSaid({ kind: 'good', text })
    void revalidate()
  }
  // One dialog may have opened the next before it is told that it closed.
  const closed = () => setOpen((now) => (now === open ? null : now))
  return (
    <>
      <div role="status">{said && <Notice kind={said.kind}>{said.text}</Notice>}</div>
      <div className="toolbar">
        <Filter wanted={wanted} field={field} hasKey={key.isOn} />
        <button ref={add} type="button" className="button primary" onClick={() => ask({ what: 'add' })}>
          {t('users.add')}
        </button>
      </div>
      <UserTable
        users={users}
        onAct={(what, user) => ask({ what, user })}
        onLocked={(text) => setSaid({ kind: 'info', text })}
      />
      <Pager total={total} shown={users.length} wanted={wanted} />
      <label className="choice shortcut">
        <input type="checkbox" checked={key.isOn} onChange={({ target }) => key.turn(target.checked)} />
        {t('users.search-key', { key: SEARCH_KEY })}
      </label>
      {open?.what === 'add' && (
        <AddUser
          onAdded={(account) => {
            say(t('users.added', { username: account.username }))
            setOpen({ what: 'ready', account })
          }}
          onClosed={closed}
        />
      )}
      {open?.what === 'ready' && <Ready account={open.account} onClosed={closed} />}
      {open?.what === 'edit' && (
        <EditUser
          user={open.user}
          onChanged={() => say(t('users.changed', { username: open.user.username }))}
          onClosed={closed}
        />
      )}
      {open?.what === 'end-sessions' && (
        <EndSessions
          username={open.user.username}
          onEnded={() => say(t('users.sessions-ended', { username: open.user.username }))}
          onClosed={closed}
        />
      )}
      {open?.what === 'delete' && (
        <DeleteUser
          user={open.user}
          onDeleted={() => say(t('users.deleted', { username: open.user.username }))}
          onClosed={(isDeleted) => {
            closed()
            // The row that the focus went back to is about to go.
            if (isDeleted) add.current?.focus()
          }}
        />
      )}
    </>
  )
}
