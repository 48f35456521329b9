import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { DeleteByName } from '../../../forms/TypeToConfirmDialog.js'
import { deleteUser } from '../admin-api.js'

interface Props {
  user: ListedUser
  onDeleted(): void
  onClosed(isDeleted: boolean): void
}

export function DeleteUser({ user: { username, secrets }, onDeleted, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const isDeleted = useRef(false)
  return (
    <DeleteByName
      name={username}
      heading={t('delete.heading', { username })}
      explanation={
        <p>
          {t('delete.explanation')} {secrets > 0 && t('delete.secrets', { count: secrets })}
        </p>
      }
      label={t('delete.type', { username })}
      otherName={t('delete.other-name', { username })}
      keep={t('cancel')}
      act={t('delete.action')}
      busy={t('delete.busy')}
      onDelete={async () => {
        await deleteUser(username)
        isDeleted.current = true
        onDeleted()
      }}
      onClosed={() => onClosed(isDeleted.current)}
    />
  )
}
