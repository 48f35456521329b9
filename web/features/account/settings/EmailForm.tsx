import { type FormEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import { Outcome } from '../../../components/Outcome.js'
import { InputField } from '../../../forms/InputField.js'
import { useForm } from '../../../forms/use-form.js'
import { isEmail } from '../../../forms/validate-account.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { sessionStore } from '../../../lib/session/session-store.js'
import { updateAccount } from '../account-api.js'
import { CurrentPasswordField } from '../CurrentPasswordField.js'

const FIELDS = ['email', 'currentPassword'] as const

/** Changes the e-mail address. `onProblems` is called with whether the form shows any. */
export function EmailForm({ onProblems }: { onProblems(hasProblems: boolean): void }) {
  const { t } = useTranslation('account')
  const { hasPassword } = useAccount()
  const id = useId()
  const { form, values, setValues, outcome, clearOutcome } = useEmailForm()
  const { hasProblems } = form
  useEffect(() => onProblems(hasProblems), [onProblems, hasProblems])
  const submit = (event: FormEvent) => {
    clearOutcome()
    form.onSubmit(event)
  }
  return (
    <form ref={form.ref} className="card" noValidate aria-labelledby={id} onSubmit={submit}>
      <h2 id={id}>{t('settings.email')}</h2>
      <Outcome message={outcome && t(`settings.${outcome}`)} error={form.formError} />
      {!hasPassword && <p className="hint">{t('settings.elsewhere')}</p>}
      <InputField
        label={t('settings.email')}
        error={form.fieldError('email', t('settings.email-wrong'))}
        {...form.inputProps('email', values, setValues)}
        type="email"
        dir="ltr"
        autoComplete="email"
        required
      />
      {hasPassword && (
        <CurrentPasswordField
          form={form}
          {...form.inputProps('currentPassword', values, setValues)}
          hint={t('settings.current-hint')}
        />
      )}
      <button type="submit" className="button primary" aria-disabled={form.isSending}>
        {t(form.isSending ? 'settings.busy' : 'settings.action')}
      </button>
    </form>
  )
}

function useEmailForm() {
  const { email, hasPassword } = useAccount()
  const { revalidate } = useRevalidator()
  const [values, setValues] = useState({ email, currentPassword: '' })
  const [outcome, setOutcome] = useState<'done' | 'unchanged' | null>(null)
  const address = values.email.trim()
  const form = useForm<(typeof FIELDS)[number]>({
    invalid: [
      ...(isEmail(address) ? [] : (['email'] as const)),
      ...(hasPassword && values.currentPassword === '' ? (['currentPassword'] as const) : []),
    ],
    serverFields: FIELDS,
    async send() {
      const isChanged = address.toLowerCase() !== email
      if (isChanged)
        await updateAccount({ email: address, ...(hasPassword && { currentPassword: values.currentPassword }) })
      setOutcome(isChanged ? 'done' : 'unchanged')
      setValues({ email: address, currentPassword: '' })
      form.reset()
      sessionStore.notify()
      await revalidate()
    },
  })
  return { form, values, setValues, outcome, clearOutcome: () => setOutcome(null) }
}
