import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { Strokes } from '../../parts/Icon.js'
import { useAccount } from '../account/signed-in.js'
import type { Act } from './Users.js'

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
  const columns = {
    email: t('account.email'),
    role: t('role.label'),
    signIn: t('users.sign-in'),
    actions: t('users.actions'),
  }
  if (users.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and keys must reach it
    <section className="table-box" tabIndex={0} aria-label={t('users.heading')}>
      <p id={id} hidden>
        {t('users.own-delete')}
      </p>
      <table>
        <caption className="only-read">{t('users.heading')}</caption>
        <thead>
          <tr>
            <th scope="col" aria-sort="ascending">
              {t('account.username')}
            </th>
            {Object.values(columns).map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {users.map((user) => {
            const { username, email, role, generated } = user
            const isOwn = username === own
            return (
              <tr key={username}>
                <th scope="row">
                  <bdi translate="no">{username}</bdi> {isOwn && <span className="badge">{t('users.you')}</span>}
                </th>
                <td data-label={columns.email}>
                  <bdi translate="no">{email}</bdi>
                </td>
                <td data-label={columns.role}>
                  <span className={role === 'admin' ? 'badge strong' : 'badge'}>{t(`role.${role}`)}</span>
                </td>
                <td data-label={columns.signIn}>
                  {generated ? <span className="badge warn">{t('users.generated')}</span> : t('users.active')}
                </td>
                <td data-label={columns.actions}>
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
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
