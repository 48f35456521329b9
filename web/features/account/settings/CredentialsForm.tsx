import { type FormEvent, useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Field } from '../../../forms/Field.js'
import { PasswordInput } from '../../../forms/PasswordInput.js'
import { errorMessage } from '../../../lib/error-message.js'
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
  return (
    <>
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
          <Field
            label={t('settings.new')}
            optional
            hint={t('settings.new-hint', { ...form.range })}
            error={useFieldError(form, 'newPassword')}
          >
            {(control) => (
              <PasswordInput {...control} {...form.inputProps('newPassword')} autoComplete="new-password" />
            )}
          </Field>
          <Field label={t('settings.confirm')} error={useFieldError(form, 'confirmNewPassword')}>
            {(control) => (
              <PasswordInput {...control} {...form.inputProps('confirmNewPassword')} autoComplete="new-password" />
            )}
          </Field>
        </div>
      </fieldset>
    </>
  )
}

function useFieldError(form: CredentialsFormState, name: CredentialField): string | null {
  const { t } = useTranslation('account')
  const problem = form.problems[name]
  if (problem && form.isInvalid(name)) return t(`settings.${problem}`, { ...form.range })
  return form.errorField === name ? errorMessage(form.error) : null
}
