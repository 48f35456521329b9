import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { ApiError } from '#shared/client'
import { ConfirmDialog } from '../../../components/ConfirmDialog.js'
import { Field } from '../../../forms/Field.js'
import { FormDialog } from '../../../forms/FormDialog.js'
import { wrongFields } from '../../../forms/validate-account.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { updateUser } from '../admin-api.js'
import { ROLES } from './user-query.js'

interface Props {
  user: ListedUser
  onChanged(): void
  onClosed(): void
}

export function EditUser({ user, onChanged, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const { username } = user
  const isOwn = useAccount().username === username
  const question = useRef<HTMLDialogElement>(null)
  const answer = useRef<(isSure: boolean) => void>(() => {})
  const [email, setEmail] = useState(user.email)
  const [role, setRole] = useState(user.role)
  const [wasTried, setTried] = useState(false)
  const isWrong = wrongFields({ ...user, password: '', email }, null).includes('email')

  const isSure = () =>
    new Promise<boolean>((resolve) => {
      answer.current = resolve
      question.current?.showModal()
    })
  const save = async (): Promise<boolean> => {
    if (user.role === 'admin' && role === 'user' && !(await isSure())) return false
    await updateUser({ username, email: email.trim(), role })
    onChanged()
    return true
  }
  const errorOf = (failure: unknown) => {
    if (wasTried && isWrong) return t('account.wrong.email')
    return failure instanceof ApiError && failure.body.field === 'email' ? t('account.refused') : null
  }
  return (
    <FormDialog
      heading={t('edit.heading', { username })}
      keep={t('cancel')}
      act={t('edit.action')}
      busy={t('edit.busy')}
      check={() => {
        setTried(true)
        return !isWrong
      }}
      onSubmit={save}
      onClosed={onClosed}
    >
      {(failure) => (
        <>
          <Field label={t('account.email')} error={errorOf(failure)}>
            {(control) => (
              <input
                {...control}
                type="email"
                name="email"
                autoComplete="off"
                dir="ltr"
                required
                value={email}
                onChange={({ target }) => setEmail(target.value)}
              />
            )}
          </Field>
          <Field label={t('role.label')} hint={t(isOwn ? 'edit.own-role' : 'edit.role-hint')}>
            {(control) => (
              <select
                {...control}
                disabled={isOwn}
                value={role}
                onChange={({ target }) => setRole(ROLES.find((each) => each === target.value) ?? user.role)}
              >
                {ROLES.map((each) => (
                  <option key={each} value={each}>
                    {t(`role.${each}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <ConfirmDialog
            dialog={question}
            heading={t('demote.heading', { username })}
            explanation={t('demote.explanation', { username })}
            keep={t('demote.keep')}
            act={t('demote.action')}
            onAct={() => answer.current(true)}
            onKeep={() => answer.current(false)}
          />
        </>
      )}
    </FormDialog>
  )
}
