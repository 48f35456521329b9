import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import { allowsLifetime, listLifetimes } from '#shared/lifetimes'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { InputField } from '../../../forms/InputField.js'
import { SelectField } from '../../../forms/SelectField.js'
import { useForm } from '../../../forms/use-form.js'
import { formatDuration, formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { useSettings } from '../../../lib/settings.js'
import { setDefaults } from '../account-api.js'

/** The initial values of the form for a new secret. */
export function DefaultsForm() {
  const { t } = useTranslation(['account', 'compose'])
  const { limits, policy } = useSettings().settings
  const id = useId()
  const { form, values, setValues, message, setMessage } = useDefaultsForm()
  const lifetimes = listLifetimes(policy.lifetimes)
  const ttl = Number(values.ttl)
  // Another client may have set it.
  if (values.ttl !== '' && !lifetimes.includes(ttl)) lifetimes.push(ttl)
  const submit = (event: FormEvent) => {
    setMessage('')
    form.onSubmit(event)
  }
  return (
    <form ref={form.ref} className="card" noValidate aria-labelledby={id} onSubmit={submit}>
      <h2 id={id}>{t('defaults.heading')}</h2>
      <p className="hint">{t('defaults.hint')}</p>
      <p className="status" role="status">
        {message}
      </p>
      <ErrorNotice error={form.formError} />
      <div className="row">
        <SelectField
          label={t('compose:expiry.label')}
          error={form.fieldError('ttl', t('compose:problem.ttl.too-long', { max: duration(limits.ttlMax) }))}
          name="ttl"
          value={values.ttl}
          onChange={({ target }) => setValues({ ...values, ttl: target.value })}
        >
          <option value="">{t('defaults.unset')}</option>
          {lifetimes.map((seconds) => (
            <option key={seconds} value={seconds}>
              {duration(seconds)}
            </option>
          ))}
        </SelectField>
        <InputField
          label={t('compose:views.label')}
          error={form.fieldError(
            'views',
            t('compose:problem.maxViews.out-of-range', { max: formatNumber(limits.maxViews, language) }),
          )}
          {...form.inputProps('views', values, setValues)}
          inputMode="numeric"
          placeholder={t('defaults.unset')}
        />
      </div>
      <button type="submit" className="button primary" aria-disabled={form.isSending}>
        {t(form.isSending ? 'settings.busy' : 'secrets.save')}
      </button>
    </form>
  )
}

function useDefaultsForm() {
  const { t } = useTranslation('account')
  const { settings, retry: reloadSettings } = useSettings()
  const { limits, policy } = settings
  const { ttl, views } = useAccount().defaults
  const { revalidate } = useRevalidator()
  const [values, setValues] = useState({ ttl: String(ttl ?? ''), views: String(views ?? '') })
  const [message, setMessage] = useState('')
  const wanted = { ttl: toNumber(values.ttl), views: toNumber(values.views) }
  const isTtlValid = wanted.ttl === null || allowsLifetime(policy.lifetimes, wanted.ttl)
  const areViewsValid = wanted.views === null || (wanted.views >= 1 && wanted.views <= limits.maxViews)
  const form = useForm<'ttl' | 'views'>({
    invalid: [...(isTtlValid ? [] : (['ttl'] as const)), ...(areViewsValid ? [] : (['views'] as const))],
    serverFields: ['ttl', 'views'],
    async send() {
      await setDefaults(wanted)
      form.reset()
      setMessage(t('settings.done'))
      reloadSettings()
      await revalidate()
    },
  })
  return { form, values, setValues, message, setMessage }
}

const duration = (seconds: number) => formatDuration(seconds, language)

/** Null: empty. NaN: not a whole number. */
function toNumber(text: string): number | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN
}
