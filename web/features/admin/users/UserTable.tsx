import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { Icon } from '../../../components/Icon.js'
import { type Column, Table } from '../../../components/Table.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { useSettings } from '../../../lib/settings.js'

export type UserAction = 'edit' | 'end-sessions' | 'delete'

interface Props {
  users: ListedUser[]
  onAction(action: UserAction, user: ListedUser): void
  /** Called with the reason when a locked button is pressed. */
  onLocked(reason: string): void
}

export function UserTable({ users, onAction, onLocked }: Props) {
  const { t } = useTranslation('admin')
  const id = useId()
  const own = useAccount().username
  const { settings } = useSettings()
  const columns: Column<ListedUser>[] = [
    {
      name: t('account.username'),
      render: ({ username }) => (
        <>
          <bdi translate="no">{username}</bdi> {username === own && <span className="badge">{t('users.you')}</span>}
        </>
      ),
    },
    {
      name: t('account.email'),
      render: ({ email, emailVerified }) => (
        <>
          <bdi translate="no">{email}</bdi>{' '}
          {settings.emailVerification && emailVerified === null && (
            <span className="badge warn">{t('users.unverified')}</span>
          )}
        </>
      ),
    },
    {
      name: t('role.label'),
      render: ({ role }) => <span className={role === 'admin' ? 'badge strong' : 'badge'}>{t(`role.${role}`)}</span>,
    },
    {
      name: t('users.sign-in'),
      render: ({ generated }) =>
        generated ? <span className="badge warn">{t('users.generated')}</span> : t('users.active'),
    },
    {
      name: t('users.actions'),
      render: (user) => (
        <UserActions
          username={user.username}
          isOwn={user.username === own}
          lockedId={id}
          onAction={(action) => onAction(action, user)}
          onLocked={onLocked}
        />
      ),
    },
  ]
  if (users.length === 0) return null
  return (
    <>
      <p id={id} hidden>
        {t('users.own-delete')}
      </p>
      <Table isSorted name={t('users.heading')} columns={columns} items={users} getKey={({ username }) => username} />
    </>
  )
}

interface ActionsProps extends Pick<Props, 'onLocked'> {
  username: string
  isOwn: boolean
  /** Of the element that says why an admin cannot delete their own account. */
  lockedId: string
  onAction(action: UserAction): void
}

function UserActions({ username, isOwn, lockedId, onAction, onLocked }: ActionsProps) {
  const { t } = useTranslation('admin')
  return (
    <span className="row-actions">
      <button
        type="button"
        className="button quiet icon-only"
        aria-label={t('users.edit', { username })}
        title={t('users.edit', { username })}
        onClick={() => onAction('edit')}
      >
        <Icon name="pencil" />
      </button>
      {!isOwn && (
        <button
          type="button"
          className="button quiet icon-only turning"
          aria-label={t('users.end-sessions', { username })}
          title={t('users.end-sessions', { username })}
          onClick={() => onAction('end-sessions')}
        >
          <Icon name="sign-out" />
        </button>
      )}
      <button
        type="button"
        className={isOwn ? 'button quiet icon-only locked' : 'button quiet icon-only'}
        aria-label={t('users.delete', { username })}
        title={t('users.delete', { username })}
        aria-disabled={isOwn}
        aria-describedby={isOwn ? lockedId : undefined}
        onClick={() => (isOwn ? onLocked(t('users.own-delete')) : onAction('delete'))}
      >
        <Icon name="trash" />
      </button>
    </span>
  )
}
