import { type FormEvent, useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Field } from '../../../forms/Field.js'
import { HiddenUsername } from '../../../forms/HiddenUsername.js'
import { NewPasswordField } from '../../../forms/NewPasswordField.js'
import { PasswordInput } from '../../../forms/PasswordInput.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { type CredentialsFormState, useCredentialsForm } from './use-credentials-form.js'
import type { CredentialField } from './validate-credentials.js'

/** Changes the e-mail address and the password. `onProblems` is called with whether the form shows any. */
export function CredentialsForm({ onProblems }: { onProblems(hasProblems: boolean): void }) {
  const { t } = useTranslation('account')
  const { hasPassword } = useAccount()
  const id = useId()
  const form = useCredentialsForm()
  const { hasProblems, outcome, clearOutcome } = form
  useEffect(() => onProblems(hasProblems), [onProblems, hasProblems])
  const submit = (event: FormEvent) => {
    clearOutcome()
    form.onSubmit(event)
  }
  return (
    <form ref={form.ref} className="card" noValidate aria-labelledby={id} onSubmit={submit}>
      <h2 id={id}>{t('settings.identity')}</h2>
      <p className="status" role="status">
        {outcome && t(`settings.${outcome}`)}
      </p>
      <ErrorNotice error={form.formError} />
      {!hasPassword && <p className="hint">{t('settings.elsewhere')}</p>}
      <Field label={t('settings.email')} error={useFieldError(form, 'email')}>
        {(control) => <input {...control} {...form.inputProps('email')} type="email" autoComplete="email" required />}
      </Field>
      {hasPassword && <PasswordFields form={form} />}
      <button type="submit" className="button primary" aria-disabled={form.isSending}>
        {t(form.isSending ? 'settings.busy' : 'settings.action')}
      </button>
    </form>
  )
}

function PasswordFields({ form }: { form: CredentialsFormState }) {
  const { t } = useTranslation('account')
  const { username } = useAccount()
  const confirmError = useFieldError(form, 'confirmNewPassword')
  return (
    <>
      <HiddenUsername username={username} />
      <Field
        label={t('settings.current')}
        hint={t('settings.current-hint')}
        error={useFieldError(form, 'currentPassword')}
      >
        {(control) => (
          <PasswordInput
            {...control}
            {...form.inputProps('currentPassword')}
            autoComplete="current-password"
            required
          />
        )}
      </Field>
      <fieldset>
        <legend>{t('settings.new-legend')}</legend>
        <div className="stack">
          <NewPasswordField
            {...form.inputProps('newPassword')}
            label={t('settings.new')}
            optional
            hint={t('settings.new-hint', form.rule)}
            error={useFieldError(form, 'newPassword')}
          />
          {form.isPasswordChanged && (
            <NewPasswordField
              {...form.inputProps('confirmNewPassword')}
              label={t('settings.confirm')}
              error={confirmError}
            />
          )}
        </div>
      </fieldset>
    </>
  )
}

function useFieldError(form: CredentialsFormState, name: CredentialField): string | null {
  const { t } = useTranslation('account')
  return form.fieldError(name, t(`settings.${form.problems[name] ?? INVALID[name]}`, form.rule))
}

/** What the server may find invalid although the page did not. */
const INVALID: Record<CredentialField, string> = {
  email: 'email-wrong',
  currentPassword: 'current-missing',
  newPassword: 'new-wrong',
  confirmNewPassword: 'confirm-wrong',
}
