import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import { ApiError } from '#shared/client'
import { FailureNotice } from '../../../components/ErrorNotice.js'
import { Field } from '../../../forms/Field.js'
import { PasswordInput } from '../../../forms/PasswordInput.js'
import { useSubmit } from '../../../forms/use-form.js'
import { useVisited } from '../../../forms/use-touched.js'
import { errorText } from '../../../lib/error-message.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { loginChanged } from '../../../lib/session/session-store.js'
import { useSettings } from '../../../lib/settings.js'
import { update } from '../account-api.js'
import { changesIn, type Entries, FIELDS, type FieldName, lengthsFor, wrongIn } from './validate-credentials.js'

const NO_PASSWORDS = { currentPassword: '', newPassword: '', confirmNewPassword: '' }

/** `onWrong`: whether the form stands there with something that was not taken. */
export function IdentityForm({ onWrong }: { onWrong(isWrong: boolean): void }) {
  const { t } = useTranslation('account')
  const account = useAccount()
  const { email, role, hasPassword } = account
  const { passwordMin, passwordMax } = useSettings().settings.limits
  const { revalidate } = useRevalidator()
  const id = useId()
  const [entries, setEntries] = useState<Entries>({ email, ...NO_PASSWORDS })
  const { visited, setVisited, leave } = useVisited<FieldName>()
  const [told, setTold] = useState<'done' | 'unchanged' | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const { submit, isBusy, failure } = useSubmit(async () => {
    const changes = changesIn(entries, account)
    if (changes) await update(changes)
    setTold(changes ? 'done' : 'unchanged')
    setEntries({ email: entries.email.trim(), ...NO_PASSWORDS })
    setVisited(new Set())
    loginChanged()
    await revalidate()
  })
  const lengths = lengthsFor(role, { min: passwordMin, max: passwordMax })
  const wrong = wrongIn(entries, hasPassword, lengths)
  const refused = FIELDS.find((name) => failure instanceof ApiError && failure.body.field === name)
  const focusOn = (name: FieldName) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
  useEffect(() => {
    onWrong(failure !== null)
    if (refused) form.current?.querySelector<HTMLInputElement>(`[name=${refused}]`)?.focus()
  }, [failure, refused, onWrong])
  const send = (event: FormEvent) => {
    setTold(null)
    const [first] = FIELDS.filter((name) => wrong[name])
    if (first === undefined) return void submit(event)
    event.preventDefault()
    setVisited(new Set(FIELDS))
    onWrong(true)
    focusOn(first)
  }
  const controls = (name: FieldName) => ({
    name,
    dir: 'ltr',
    value: entries[name],
    onChange: ({ target }: { target: HTMLInputElement }) => setEntries({ ...entries, [name]: target.value }),
    onBlur: leave(name),
  })
  const errorOf = (name: FieldName) => {
    if (visited.has(name) && wrong[name]) return t(`settings.${wrong[name]}`, { ...lengths })
    return refused === name ? errorText(failure) : null
  }
  return (
    <form ref={form} className="card" noValidate aria-labelledby={id} onSubmit={send}>
      <h2 id={id}>{t('settings.identity')}</h2>
      <p className="status" role="status">
        {told && t(`settings.${told}`)}
      </p>
      <FailureNotice failure={refused ? null : failure} />
      {!hasPassword && <p className="hint">{t('settings.elsewhere')}</p>}
      <Field label={t('settings.email')} error={errorOf('email')}>
        {(control) => <input {...control} {...controls('email')} type="email" autoComplete="email" required />}
      </Field>
      {hasPassword && (
        <>
          <Field label={t('settings.current')} hint={t('settings.current-hint')} error={errorOf('currentPassword')}>
            {(control) => (
              <PasswordInput {...control} {...controls('currentPassword')} autoComplete="current-password" required />
            )}
          </Field>
          <fieldset>
            <legend>{t('settings.new-legend')}</legend>
            <div className="stack">
              <Field
                label={t('settings.new')}
                optional
                hint={t('settings.new-hint', { ...lengths })}
                error={errorOf('newPassword')}
              >
                {(control) => <PasswordInput {...control} {...controls('newPassword')} autoComplete="new-password" />}
              </Field>
              <Field label={t('settings.confirm')} error={errorOf('confirmNewPassword')}>
                {(control) => (
                  <PasswordInput {...control} {...controls('confirmNewPassword')} autoComplete="new-password" />
                )}
              </Field>
            </div>
          </fieldset>
        </>
      )}
      <button type="submit" className="button primary" aria-disabled={isBusy}>
        {t(isBusy ? 'settings.busy' : 'settings.action')}
      </button>
    </form>
  )
}
