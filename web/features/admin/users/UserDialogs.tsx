import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { AccessDialog } from './AccessDialog.js'
import { AddUserDialog, type NewUser } from './AddUserDialog.js'
import { DeleteUserDialog } from './DeleteUserDialog.js'
import { EditUserDialog } from './EditUserDialog.js'
import { LockOutUserDialog } from './LockOutUserDialog.js'
import { ResetFactorsDialog } from './ResetFactorsDialog.js'
import { UserCreatedDialog } from './UserCreatedDialog.js'
import type { UserAction } from './UserTable.js'

export type OpenDialog =
  | { type: 'add' }
  | { type: 'created' | 'locked-out'; user: NewUser }
  | { type: UserAction; user: ListedUser }

interface Props {
  dialog: OpenDialog | null
  /** `message` describes the change. */
  onDone(message: string): void
  onOpen(dialog: OpenDialog): void
  onClosed(): void
  /** After `onClosed`, when the user was deleted. */
  onDeleted(): void
}

/** The dialog that is open on the users page, if any. */
export function UserDialogs({ dialog, onDone, onOpen, onClosed, onDeleted }: Props) {
  const { t } = useTranslation('admin')
  switch (dialog?.type) {
    case 'add': {
      const showCreated = (user: NewUser) => {
        onDone(t('users.added', { username: user.username }))
        onOpen({ type: 'created', user })
      }
      return <AddUserDialog onAdded={showCreated} onClosed={onClosed} />
    }
    case 'created':
    case 'locked-out': {
      const { type, user } = dialog
      const heading = t(type === 'created' ? 'ready.heading' : 'ready.new-password', { username: user.username })
      return <UserCreatedDialog heading={heading} user={user} onClosed={onClosed} />
    }
    case 'edit': {
      const { user } = dialog
      const done = () => onDone(t('users.changed', { username: user.username }))
      return <EditUserDialog user={user} onChanged={done} onClosed={onClosed} />
    }
    case 'access':
      return <AccessDialog username={dialog.user.username} onClosed={onClosed} />
    case 'reset-factors': {
      const { user } = dialog
      const done = () => onDone(t('users.factors-reset', { username: user.username }))
      return <ResetFactorsDialog user={user} onReset={done} onClosed={onClosed} />
    }
    case 'lock-out': {
      const { user } = dialog
      const done = (credentials: NewUser | null) => {
        onDone(t('users.locked-out', { username: user.username }))
        if (credentials) onOpen({ type: 'locked-out', user: credentials })
      }
      return <LockOutUserDialog user={user} onLockedOut={done} onClosed={onClosed} />
    }
    case 'delete': {
      const { user } = dialog
      const done = () => onDone(t('users.deleted', { username: user.username }))
      const handleClosed = (isDeleted: boolean) => {
        onClosed()
        if (isDeleted) onDeleted()
      }
      return <DeleteUserDialog user={user} onDeleted={done} onClosed={handleClosed} />
    }
    default:
      return null
  }
}
