import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { ConfirmDialog } from '../../../components/ConfirmDialog.js'
import { Field } from '../../../forms/Field.js'
import { FormDialog } from '../../../forms/FormDialog.js'
import { useFormDialog } from '../../../forms/use-form-dialog.js'
import { isEmail } from '../../../forms/validate-account.js'
import { errorMessage } from '../../../lib/error-message.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { updateUser } from '../admin-api.js'
import { RoleField } from './RoleField.js'

interface Props {
  user: ListedUser
  onChanged(): void
  onClosed(): void
}

export function EditUserDialog({ user, onChanged, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const { username } = user
  const isOwn = useAccount().username === username
  const [email, setEmail] = useState(user.email)
  const [role, setRole] = useState(user.role)
  const roleChange = useConfirmation()
  const form = useFormDialog<'email'>({
    invalid: isEmail(email) ? [] : ['email'],
    serverFields: ['email'],
    async send() {
      if (role !== user.role && !(await roleChange.ask())) return false
      await updateUser({ username, email: email.trim(), role })
      onChanged()
    },
  })
  const change = user.role === 'admin' ? 'demote' : 'promote'
  const refused = form.errorField === 'email' ? errorMessage(form.error) : null
  return (
    <FormDialog
      form={form}
      heading={t('edit.heading', { username })}
      cancelLabel={t('cancel')}
      submitLabel={t('edit.action')}
      busyLabel={t('edit.busy')}
      onClosed={onClosed}
    >
      <Field label={t('account.email')} error={form.isInvalid('email') ? t('account.wrong.email') : refused}>
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
      <RoleField role={role} hint={t(isOwn ? 'edit.own-role' : 'edit.role-hint')} disabled={isOwn} change={setRole} />
      <ConfirmDialog
        dialog={roleChange.dialog}
        heading={t(`${change}.heading`, { username })}
        explanation={t(`${change}.explanation`, { username })}
        cancelLabel={t(`${change}.keep`)}
        confirmLabel={t(`${change}.action`)}
        onConfirm={roleChange.confirm}
        onCancel={roleChange.cancel}
      />
    </FormDialog>
  )
}

/** Shows a `ConfirmDialog` and waits for the answer. */
function useConfirmation() {
  const dialog = useRef<HTMLDialogElement>(null)
  const settle = useRef<(isConfirmed: boolean) => void>(() => {})
  const ask = () =>
    new Promise<boolean>((resolve) => {
      settle.current = resolve
      dialog.current?.showModal()
    })
  return { dialog, ask, confirm: () => settle.current(true), cancel: () => settle.current(false) }
}
