import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { ConfirmDialog } from '../../../components/ConfirmDialog.js'
import { CheckField } from '../../../forms/CheckField.js'
import { FormDialog } from '../../../forms/FormDialog.js'
import { InputField } from '../../../forms/InputField.js'
import type { Form } from '../../../forms/use-form.js'
import { useFormDialog } from '../../../forms/use-form-dialog.js'
import { isEmail } from '../../../forms/validate-account.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { useSettings } from '../../../lib/settings.js'
import { useDeferredState } from '../../../lib/use-deferred-state.js'
import { adminApi } from '../admin-api.js'
import { GroupsField, parseGroups } from './GroupsField.js'
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
  const [groupsText, setGroupsText] = useState(user.groups.join('\n'))
  const [isVerified, setVerified] = useState(false)
  const [suspended, setSuspended] = useState(user.suspendedAt !== null)
  const { settings } = useSettings()
  const roleChange = useConfirmation()
  const groups = parseGroups(groupsText)
  const form = useFormDialog<'email' | 'groups'>({
    invalid: [...(isEmail(email) ? [] : ['email' as const]), ...(groups === null ? ['groups' as const] : [])],
    serverFields: ['email', 'groups'],
    async send() {
      if (role !== user.role && !(await roleChange.ask())) return false
      const emailVerified = isVerified && canVerify && { emailVerified: true as const }
      await adminApi.updateUser({
        username,
        email: email.trim(),
        role,
        suspended,
        groups: groups ?? [],
        ...emailVerified,
      })
      onChanged()
    },
  })
  // An administrator confirms an address that the user has not confirmed, or a new one.
  const canVerify = settings.emailVerification && (user.emailVerified === null || email.trim() !== user.email)
  const change = user.role === 'admin' ? 'demote' : 'promote'
  return (
    <FormDialog
      form={form}
      heading={t('edit.heading', { username })}
      cancelLabel={t('cancel')}
      submitLabel={t('edit.action')}
      busyLabel={t('edit.busy')}
      onClosed={onClosed}
    >
      <EmailField form={form} email={email} change={setEmail} />
      {canVerify && <CheckField label={t('edit.verified')} checked={isVerified} onChange={setVerified} />}
      <RoleField role={role} hint={t(isOwn ? 'edit.own-role' : 'edit.role-hint')} disabled={isOwn} change={setRole} />
      <GroupsField form={form} text={groupsText} change={setGroupsText} />
      {!isOwn && (
        <CheckField
          label={t('edit.suspend')}
          hint={t('edit.suspend-hint')}
          checked={suspended}
          onChange={setSuspended}
        />
      )}
      {roleChange.isAsking && (
        <ConfirmDialog
          heading={t(`${change}.heading`, { username })}
          explanation={t(`${change}.explanation`, { username })}
          cancelLabel={t(`${change}.keep`)}
          confirmLabel={t(`${change}.action`)}
          onConfirm={roleChange.confirm}
          onClosed={roleChange.cancel}
        />
      )}
    </FormDialog>
  )
}

interface EmailFieldProps {
  form: Pick<Form<'email'>, 'fieldError'>
  email: string
  change(email: string): void
}

function EmailField({ form, email, change }: EmailFieldProps) {
  const { t } = useTranslation('admin')
  return (
    <InputField
      label={t('account.email')}
      error={form.fieldError('email', t('account.wrong.email'))}
      type="email"
      name="email"
      dir="ltr"
      required
      value={email}
      onChange={({ target }) => change(target.value)}
    />
  )
}

/** Shows a `ConfirmDialog` and waits for the answer. */
function useConfirmation() {
  const [isAsking, setAsking] = useDeferredState(false)
  const settle = useRef<(isConfirmed: boolean) => void>(() => {})
  const ask = () =>
    new Promise<boolean>((resolve) => {
      settle.current = resolve
      setAsking(true)
    })
  const cancel = () => {
    setAsking(false)
    settle.current(false)
  }
  return { isAsking, ask, confirm: () => settle.current(true), cancel }
}
