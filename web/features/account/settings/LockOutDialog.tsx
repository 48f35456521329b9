import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../forms/Field.js'
import { formatKept, NOTHING_KEPT } from '../../../forms/lock-out/kept-access.js'
import { LockOutForm } from '../../../forms/lock-out/LockOutForm.js'
import { useAccess } from '../../../forms/lock-out/use-access.js'
import { NewPasswordField } from '../../../forms/NewPasswordField.js'
import { PasswordInput } from '../../../forms/PasswordInput.js'
import type { Form } from '../../../forms/use-form.js'
import { useFormDialog } from '../../../forms/use-form-dialog.js'
import { isPasswordLength, passwordRange } from '../../../forms/validate-account.js'
import { formatRange } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { sessionStore } from '../../../lib/session/session-store.js'
import { useSettings } from '../../../lib/settings.js'
import { listAccess, lockOut } from '../account-api.js'

const PASSWORDS = ['currentPassword', 'newPassword'] as const
type PasswordName = (typeof PASSWORDS)[number]
type FieldName = PasswordName | 'identities'

interface Props {
  /** Id of the session of this page, which stays. */
  ownSession: string | undefined
  /** `kept`: names of what was kept. */
  onDone(kept: string): void
  onClosed(): void
}

/** Asks what to keep and, if the account has a password, for the current and a new one. */
export function LockOutDialog({ ownSession, onDone, onClosed }: Props) {
  const { t } = useTranslation('account')
  const loaded = useOthersAccess(ownSession)
  const { access } = loaded
  const { hasPassword } = useAccount()
  const [kept, setKept] = useState(NOTHING_KEPT)
  const passwords = usePasswords()
  const form = useFormDialog<FieldName>({
    invalid: hasPassword ? passwords.invalid : kept.identities.length > 0 ? [] : ['identities'],
    serverFields: PASSWORDS,
    async send() {
      if (access === null) return false
      await lockOut({ keep: kept, ...(hasPassword && passwords.values) })
      sessionStore.notify()
      onDone(formatKept(access, kept))
    },
  })
  return (
    <LockOutForm
      form={form}
      heading={t('access:lock-out')}
      cancelLabel={t('tokens.cancel')}
      loaded={loaded}
      kept={kept}
      onChange={setKept}
      keepError={form.isInvalid('identities') ? t('lock-out.last-way') : null}
      onClosed={onClosed}
    >
      {hasPassword && <PasswordFields form={form} passwords={passwords} />}
    </LockOutForm>
  )
}

/** What can use the account now, except the session of this page. */
function useOthersAccess(ownSession: string | undefined) {
  const { access, error } = useAccess(listAccess)
  const sessions = access?.sessions.filter(({ id }) => id !== ownSession) ?? []
  return { access: access && { ...access, sessions }, error }
}

interface FieldsProps {
  form: Form<FieldName>
  passwords: ReturnType<typeof usePasswords>
}

function PasswordFields({ form, passwords: { values, setValues, range } }: FieldsProps) {
  const { t } = useTranslation('account')
  const rule = t('settings.new-wrong', formatRange(range, language))
  return (
    <>
      <Field label={t('settings.current')} error={form.fieldError('currentPassword', t('settings.current-missing'))}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.inputProps('currentPassword', values, setValues)}
            autoComplete="current-password"
            required
          />
        )}
      </Field>
      <NewPasswordField
        {...form.inputProps('newPassword', values, setValues)}
        label={t('settings.new')}
        hint={!form.isInvalid('newPassword') && rule}
        error={form.fieldError('newPassword', rule)}
        required
      />
    </>
  )
}

function usePasswords() {
  const { limits } = useSettings().settings
  const [values, setValues] = useState({ currentPassword: '', newPassword: '' })
  const range = passwordRange(limits, useAccount().role === 'admin')
  const invalid: PasswordName[] = [
    ...(values.currentPassword === '' ? ['currentPassword' as const] : []),
    ...(isPasswordLength(values.newPassword, range) ? [] : ['newPassword' as const]),
  ]
  return { values, setValues, range, invalid }
}
