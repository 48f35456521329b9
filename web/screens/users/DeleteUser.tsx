import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { Field } from '../../parts/Field.js'
import { deleteUser } from '../admin/calls.js'
import { FormDialog } from './FormDialog.js'

interface Props {
  user: ListedUser
  onDeleted(): void
  onClosed(isDeleted: boolean): void
}

/** Asks for the name, because nothing brings an account back. */
export function DeleteUser({ user: { username, secrets }, onDeleted, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const [wasTried, setTried] = useState(false)
  const isDeleted = useRef(false)
  const isRight = typed.trim() === username
  return (
    <FormDialog
      isDangerous
      heading={t('delete.heading', { username })}
      explanation={
        <>
          {t('delete.explanation')} {secrets > 0 && t('delete.secrets', { count: secrets })}
        </>
      }
      act={t('delete.action')}
      busy={t('delete.busy')}
      check={() => {
        setTried(true)
        return isRight
      }}
      onSubmit={async () => {
        await deleteUser(username)
        isDeleted.current = true
        onDeleted()
        return true
      }}
      onClosed={() => onClosed(isDeleted.current)}
    >
      {() => (
        <Field
          label={t('delete.type', { username })}
          error={wasTried && !isRight ? t('delete.other-name', { username }) : null}
        >
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              dir="ltr"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
