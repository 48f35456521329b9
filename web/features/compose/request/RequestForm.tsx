import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SUBMISSIONS_MAX, TITLE_MAX } from '#shared/limits'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Icon } from '../../../components/Icon.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { startRequestWorker } from '../../../crypto-worker/request-crypto.js'
import { JobError } from '../../../crypto-worker/rpc-client.js'
import { CheckField } from '../../../forms/CheckField.js'
import { Field } from '../../../forms/Field.js'
import { type Form, useForm } from '../../../forms/use-form.js'
import { formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { useSettings } from '../../../lib/settings.js'
import { ExpiryField, problemMessage } from '../ComposePage.js'
import { createRequestLinks } from './create-request-links.js'
import type { CreatedRequestLinks } from './created-requests.js'
import { invalidRequestFields, newRequestValues, type RequestField, type RequestValues } from './validate-request.js'

export function RequestForm({ onCreated }: { onCreated(created: CreatedRequestLinks): void }) {
  const { t } = useTranslation('requests')
  const { read_only: isReadOnly, limits } = useSettings().settings
  const [values, setValues] = useState(() => newRequestValues(limits))
  const change = (changed: Partial<RequestValues>) => setValues((values) => ({ ...values, ...changed }))
  const form = useForm<RequestField>({
    invalid: invalidRequestFields(values, limits),
    send: async () => onCreated(await createRequestLinks(values)),
  })
  // Its script is large, and the user is writing now.
  useEffect(() => startRequestWorker(), [])
  const isTooLong = form.error instanceof JobError && form.error.name === 'RangeError'
  return (
    <Page heading={t('home:request')} hasError={form.hasProblems} lede={t('create.lede')}>
      {isReadOnly && (
        <Notice kind="info" heading={t('home:read-only.heading')}>
          {t('home:read-only.explanation')}
        </Notice>
      )}
      <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
        <fieldset aria-label={t('home:request')} disabled={isReadOnly}>
          <NoteFields values={values} change={change} isTooLong={isTooLong} isTitleWrong={form.isInvalid('title')} />
          <div className="row">
            <ExpiryField
              options={values}
              problem={form.isInvalid('ttl') ? { problem: 'out-of-range' } : undefined}
              change={change}
            />
            <Field
              label={t('create.submissions')}
              error={
                form.isInvalid('submissions')
                  ? t('home:problem.maxViews.out-of-range', { max: formatNumber(SUBMISSIONS_MAX, language) })
                  : null
              }
            >
              {(control) => (
                <input
                  {...control}
                  {...form.inputProps('submissions', values, change)}
                  inputMode="numeric"
                  autoComplete="off"
                />
              )}
            </Field>
          </div>
          <LimitFields values={values} change={change} form={form} />
          <ErrorNotice error={isTooLong ? null : form.formError} />
          <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
            <Icon name="lock" />
            {t(form.isSending ? 'home:create.busy' : 'create.action')}
          </button>
        </fieldset>
      </form>
    </Page>
  )
}

interface FieldsProps {
  values: RequestValues
  change(changed: Partial<RequestValues>): void
}

function NoteFields({
  values: { title, instructions },
  change,
  isTooLong,
  isTitleWrong,
}: FieldsProps & { isTooLong: boolean; isTitleWrong: boolean }) {
  const { t } = useTranslation('requests')
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isTooLong) area.current?.focus()
  }, [isTooLong])
  return (
    <>
      <Field
        label={t('create.title')}
        optional
        hint={t('create.note-hint')}
        error={isTitleWrong ? t('home:problem.title.not-a-line') : null}
      >
        {(control) => (
          <input
            {...control}
            name="title"
            autoComplete="off"
            maxLength={TITLE_MAX}
            value={title}
            onChange={({ target }) => change({ title: target.value })}
          />
        )}
      </Field>
      <Field label={t('create.instructions')} optional error={isTooLong ? t('create.too-long') : null}>
        {(control) => (
          <textarea
            {...control}
            ref={area}
            autoComplete="off"
            value={instructions}
            onChange={({ target }) => change({ instructions: target.value })}
          />
        )}
      </Field>
    </>
  )
}

function LimitFields({ values, change, form }: FieldsProps & { form: Form<RequestField> }) {
  const { t } = useTranslation('requests')
  const { limits } = useSettings().settings
  const details = useRef<HTMLDetailsElement>(null)
  const isWrong = form.isInvalid('megabytes') || form.isInvalid('allowedIp')
  // Before the form moves the focus to the field.
  useEffect(() => {
    if (isWrong) details.current?.setAttribute('open', '')
  }, [isWrong])
  return (
    <details ref={details}>
      <summary>{t('home:more.label')}</summary>
      <Field
        label={t('create.size')}
        optional
        hint={t('create.size-hint')}
        error={form.isInvalid('megabytes') ? t('create.size-wrong') : null}
      >
        {(control) => (
          <input
            {...control}
            {...form.inputProps('megabytes', values, change)}
            inputMode="decimal"
            autoComplete="off"
          />
        )}
      </Field>
      <Field
        label={t('home:address.label')}
        optional
        error={form.isInvalid('allowedIp') ? problemMessage('allowedIp', { problem: 'not-an-address' }, limits) : null}
      >
        {(control) => (
          <input
            {...control}
            {...form.inputProps('allowedIp', values, change)}
            className="mono"
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={t('home:address.placeholder')}
          />
        )}
      </Field>
      <CheckField
        label={t('create.files')}
        hint={t('create.files-hint')}
        checked={values.allowFiles}
        onChange={(allowFiles) => change({ allowFiles })}
      />
    </details>
  )
}
