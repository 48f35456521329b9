import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { TypeToConfirmDialog } from '../../../forms/TypeToConfirmDialog.js'
import { adminApi } from '../admin-api.js'

interface Props {
  user: ListedUser
  onDeleted(): void
  onClosed(isDeleted: boolean): void
}

export function DeleteUserDialog({ user: { username, secrets }, onDeleted, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const isDeleted = useRef(false)
  return (
    <TypeToConfirmDialog
      name={username}
      heading={t('delete.heading', { username })}
      explanation={
        <p>
          {t('delete.explanation')} {secrets > 0 && t('delete.secrets', { count: secrets })}
        </p>
      }
      label={t('delete.type', { username })}
      mismatch={t('delete.other-name', { username })}
      cancelLabel={t('cancel')}
      submitLabel={t('delete.action')}
      busyLabel={t('delete.busy')}
      onConfirmed={async () => {
        await adminApi.removeUser(username)
        isDeleted.current = true
        onDeleted()
      }}
      onClosed={() => onClosed(isDeleted.current)}
    />
  )
}
