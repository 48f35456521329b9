import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { Icon } from '../../../components/Icon.js'
import { RelativeTime } from '../../../components/RelativeTime.js'
import { type Column, Table } from '../../../components/Table.js'
import { formatNumber, isolate } from '../../../lib/format.js'
import { formatRelativeTime } from '../../../lib/format-time.js'
import { language } from '../../../lib/i18n.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { useSettings } from '../../../lib/settings.js'

export type UserAction = 'edit' | 'access' | 'reset-factors' | 'lock-out' | 'delete'

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
      render: ({ username, email, emailVerified, role, groups }) => (
        <div>
          <bdi translate="no">{username}</bdi> {username === own && <span className="badge">{t('users.you')}</span>}{' '}
          {role === 'admin' && <span className="badge strong">{t('role.admin')}</span>}
          <p className="hint">
            <bdi translate="no">{email}</bdi>
          </p>
          {groups.length > 0 && (
            <p className="hint" translate="no">
              {t('users.groups', { names: groups.map(isolate).join(', ') })}
            </p>
          )}
          {settings.emailVerification && emailVerified === null && <p className="hint">{t('users.unverified')}</p>}
        </div>
      ),
    },
    {
      name: t('users.sign-in'),
      render: (user) => <Status {...user} />,
    },
    {
      name: t('settings.second_factor.label'),
      render: (user) => <SecondFactor {...user} />,
    },
    {
      name: t('users.last-sign-in'),
      render: ({ signedInAt }) => (signedInAt === null ? t('users.never') : <RelativeTime at={signedInAt} />),
    },
    {
      name: t('overview.secrets'),
      render: ({ secrets }) => formatNumber(secrets, language),
    },
    {
      name: t('users.actions'),
      render: (user) => (
        <UserActions
          username={user.username}
          isOwn={user.username === own}
          hasFactor={hasFactor(user)}
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

function Status({ suspendedAt, generated }: ListedUser) {
  const { t } = useTranslation('admin')
  if (suspendedAt !== null) return <span className="badge warn">{t('users.suspended')}</span>
  return generated ? <span className="badge warn">{t('users.generated')}</span> : t('users.active')
}

const hasFactor = ({ passkeys, authenticator }: ListedUser): boolean => passkeys > 0 || authenticator

/** The user's factors, or the time by which the user needs one. Without a badge: the status already has one. */
function SecondFactor({ passkeys, authenticator, graceEndsAt }: ListedUser) {
  const { t } = useTranslation('admin')
  if (passkeys > 0 || authenticator)
    return (
      <div>
        {passkeys > 0 && <p>{t('users.passkeys', { amount: formatNumber(passkeys, language) })}</p>}
        {authenticator && <p>{t('users.authenticator')}</p>}
      </div>
    )
  if (graceEndsAt === null) return t('users.no-factor')
  const now = Date.now()
  if (graceEndsAt <= now) return t('users.overdue')
  return t('users.grace', { relative: formatRelativeTime(graceEndsAt, now, language) })
}

interface ActionsProps extends Pick<Props, 'onLocked'> {
  username: string
  isOwn: boolean
  hasFactor: boolean
  /** Of the element that says why an admin cannot delete their own account. */
  lockedId: string
  onAction(action: UserAction): void
}

function UserActions({ username, isOwn, hasFactor, lockedId, onAction, onLocked }: ActionsProps) {
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
        <>
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={t('users.access', { username })}
            title={t('users.access', { username })}
            onClick={() => onAction('access')}
          >
            <Icon name="list" />
          </button>
          {hasFactor && (
            <button
              type="button"
              className="button quiet icon-only"
              aria-label={t('users.reset-factors', { username })}
              title={t('users.reset-factors', { username })}
              onClick={() => onAction('reset-factors')}
            >
              <Icon name="lock" />
            </button>
          )}
          <button
            type="button"
            className="button quiet icon-only turning"
            aria-label={t('users.lock-out', { username })}
            title={t('users.lock-out', { username })}
            onClick={() => onAction('lock-out')}
          >
            <Icon name="sign-out" />
          </button>
        </>
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
