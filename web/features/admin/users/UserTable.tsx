import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { Strokes } from '../../../components/Icon.js'
import { type Column, Table } from '../../../components/Table.js'
import { useAccount } from '../../../lib/session/require-session.js'

export type Act = 'edit' | 'end-sessions' | 'delete'

const SHAPES = {
  edit: 'M4 20h4L20 8l-4-4L4 16z',
  leave: 'M14 4h6v16h-6M10 8l-4 4 4 4M6 12h11',
  delete: 'M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15',
} as const

interface Props {
  users: ListedUser[]
  onAct(what: Act, user: ListedUser): void
  /** Told why, when somebody presses what is locked. */
  onLocked(reason: string): void
}

export function UserTable({ users, onAct, onLocked }: Props) {
  const { t } = useTranslation('admin')
  const id = useId()
  const own = useAccount().username
  const columns: Column<ListedUser>[] = [
    {
      name: t('account.username'),
      cell: ({ username }) => (
        <>
          <bdi translate="no">{username}</bdi> {username === own && <span className="badge">{t('users.you')}</span>}
        </>
      ),
    },
    { name: t('account.email'), cell: ({ email }) => <bdi translate="no">{email}</bdi> },
    {
      name: t('role.label'),
      cell: ({ role }) => <span className={role === 'admin' ? 'badge strong' : 'badge'}>{t(`role.${role}`)}</span>,
    },
    {
      name: t('users.sign-in'),
      cell: ({ generated }) =>
        generated ? <span className="badge warn">{t('users.generated')}</span> : t('users.active'),
    },
    {
      name: t('users.actions'),
      cell: (user) => {
        const { username } = user
        const isOwn = username === own
        return (
          <span className="row-actions">
            <button
              type="button"
              className="button quiet icon-only"
              aria-label={t('users.edit', { username })}
              onClick={() => onAct('edit', user)}
            >
              <Strokes shape={SHAPES.edit} />
            </button>
            {!isOwn && (
              <button
                type="button"
                className="button quiet icon-only turning"
                aria-label={t('users.end-sessions', { username })}
                onClick={() => onAct('end-sessions', user)}
              >
                <Strokes shape={SHAPES.leave} />
              </button>
            )}
            <button
              type="button"
              className={isOwn ? 'button quiet icon-only locked' : 'button quiet icon-only'}
              aria-label={t('users.delete', { username })}
              aria-disabled={isOwn}
              aria-describedby={isOwn ? id : undefined}
              onClick={() => (isOwn ? onLocked(t('users.own-delete')) : onAct('delete', user))}
            >
              <Strokes shape={SHAPES.delete} />
            </button>
          </span>
        )
      },
    },
  ]
  if (users.length === 0) return null
  return (
    <>
      <p id={id} hidden>
        {t('users.own-delete')}
      </p>
      <Table isSorted name={t('users.heading')} columns={columns} items={users} keyOf={({ username }) => username} />
    </>
  )
}
