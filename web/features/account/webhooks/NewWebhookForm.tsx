import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CreatedWebhook, CreateWebhook } from '#shared/api'
import { isWebhookUrl, USER_EVENT_TYPES, WEBHOOK_NAME_MAX, WEBHOOK_URL_MAX } from '#shared/user-webhooks'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { InputField } from '../../../forms/InputField.js'
import { type Form, useForm } from '../../../forms/use-form.js'
import { webhookApi } from './webhook-api.js'

interface Values extends CreateWebhook {
  events: (typeof USER_EVENT_TYPES)[number][]
}

interface Props {
  onCreate(webhook: CreatedWebhook): void
  onCancel(): void
}

export function NewWebhookForm({ onCreate, onCancel }: Props) {
  const { t } = useTranslation('webhooks')
  const [values, setValues] = useState<Values>({ name: '', url: '', events: [] })
  const name = values.name.trim()
  const url = values.url.trim()
  const form = useForm<'name' | 'url'>({
    invalid: [...(name === '' ? (['name'] as const) : []), ...(isWebhookUrl(url) ? [] : (['url'] as const))],
    serverFields: ['url'],
    send: async () => onCreate(await webhookApi.create({ ...values, name, url })),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears
  useEffect(() => form.ref.current?.querySelector<HTMLInputElement>('[name=name]')?.focus(), [])
  return (
    <form ref={form.ref} className="card stack" noValidate onSubmit={form.onSubmit}>
      <h2>{t('new')}</h2>
      <ErrorNotice error={form.formError} />
      <TextFields form={form} values={values} change={setValues} />
      <EventFields events={values.events} change={(events) => setValues({ ...values, events })} />
      <div className="actions">
        <button type="submit" className="button primary" aria-disabled={form.isSending}>
          {form.isSending ? t('account:tokens.busy') : t('create')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {t('account:tokens.cancel')}
        </button>
      </div>
    </form>
  )
}

interface TextProps {
  form: Form<'name' | 'url'>
  values: Values
  change(values: Values): void
}

function TextFields({ form, values, change }: TextProps) {
  const { t } = useTranslation('webhooks')
  return (
    <>
      <InputField
        label={t('account:tokens.name')}
        error={form.isInvalid('name') ? t('name-missing') : null}
        {...form.inputProps('name', values, change)}
        required
        maxLength={WEBHOOK_NAME_MAX}
      />
      <InputField
        label={t('url')}
        hint={t('url-hint')}
        error={form.fieldError('url', t('url-wrong'))}
        {...form.inputProps('url', values, change)}
        type="url"
        inputMode="url"
        spellCheck={false}
        dir="ltr"
        required
        maxLength={WEBHOOK_URL_MAX}
      />
    </>
  )
}

interface EventProps {
  events: Values['events']
  change(events: Values['events']): void
}

/** Without any choice, the webhook gets all events. */
function EventFields({ events, change }: EventProps) {
  const { t } = useTranslation('webhooks')
  return (
    <fieldset aria-describedby="events-hint">
      <legend>{t('events')}</legend>
      <p className="hint" id="events-hint">
        {t('events-hint')}
      </p>
      <div className="row">
        <EventGroup subject="secret" heading={t('account:menu.secrets')} events={events} change={change} />
        <EventGroup subject="request" heading={t('account:menu.requests')} events={events} change={change} />
      </div>
    </fieldset>
  )
}

/** The events of secrets or of requests. The first checkbox chooses all of them. */
function EventGroup({ subject, heading, events, change }: EventProps & { subject: string; heading: string }) {
  const { t } = useTranslation('webhooks')
  const types = USER_EVENT_TYPES.filter((type) => type.startsWith(`${subject}.`))
  const toggle = (toggled: Values['events'], isChosen: boolean) => {
    const others = events.filter((type) => !toggled.includes(type))
    change(isChosen ? [...others, ...toggled] : others)
  }
  return (
    <fieldset>
      <legend>{heading}</legend>
      <EventField
        label={t('all')}
        checked={types.every((type) => events.includes(type))}
        onChange={(isChosen) => toggle(types, isChosen)}
      />
      {types.map((type) => (
        <EventField
          key={type}
          label={t(`event.${type}`)}
          checked={events.includes(type)}
          onChange={(isChosen) => toggle([type], isChosen)}
        />
      ))}
    </fieldset>
  )
}

interface EventFieldProps {
  label: string
  checked: boolean
  onChange(checked: boolean): void
}

function EventField({ label, checked, onChange }: EventFieldProps) {
  return (
    <label className="choice">
      <input type="checkbox" name="event" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  )
}
