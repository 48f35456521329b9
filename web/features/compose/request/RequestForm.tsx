import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '#shared/client/client'
import { SUBMISSIONS_MAX, TITLE_MAX } from '#shared/limits'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Icon } from '../../../components/Icon.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { startRequestWorker } from '../../../crypto-worker/request-crypto.js'
import { JobError } from '../../../crypto-worker/rpc-client.js'
import { CheckField } from '../../../forms/CheckField.js'
import { Field } from '../../../forms/Field.js'
import { CodeField, InputField } from '../../../forms/InputField.js'
import { type Form, useForm } from '../../../forms/use-form.js'
import { formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { useSettings } from '../../../lib/settings.js'
import { ComposeTabs, ExpiryField, problemMessage } from '../ComposePage.js'
import { type CreateRequestLinks, prepareRequestLinks } from './create-request-links.js'
import { createdPart } from './created-part.js'
import type { CreatedRequestLinks } from './created-requests.js'
import { invalidRequestFields, newRequestValues, type RequestField, type RequestValues } from './validate-request.js'

export function RequestForm({ onCreated }: { onCreated(created: CreatedRequestLinks): void }) {
  const { t } = useTranslation('requests')
  const { read_only: isReadOnly, policy } = useSettings().settings
  const [values, setValues] = useState(() => newRequestValues(policy))
  const change = (changed: Partial<RequestValues>) => setValues((values) => ({ ...values, ...changed }))
  const create = useRequestCreation()
  const form = useForm<RequestField>({
    invalid: invalidRequestFields(values, policy),
    send: async () => {
      // Before the request is created, so that its links can be shown.
      await createdPart.load()
      onCreated(await create(values))
    },
  })
  // Its script is large, and the user is writing now.
  useEffect(() => startRequestWorker(), [])
  const isTooLong = form.error instanceof JobError && form.error.name === 'RangeError'
  return (
    <Page heading={t('compose:request')} hasError={form.hasProblems} lede={t('create.lede')}>
      {isReadOnly && (
        <Notice kind="info" heading={t('compose:read-only.heading')}>
          {t('compose:read-only.explanation')}
        </Notice>
      )}
      <ComposeTabs />
      <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
        <fieldset aria-label={t('compose:request')} disabled={isReadOnly}>
          <NoteFields values={values} change={change} isTooLong={isTooLong} isTitleWrong={form.isInvalid('title')} />
          <div className="row">
            <ExpiryField
              options={values}
              problem={form.isInvalid('ttl') ? { problem: 'out-of-range' } : undefined}
              change={change}
            />
            <InputField
              label={t('create.submissions')}
              error={
                form.isInvalid('submissions')
                  ? t('compose:problem.maxViews.out-of-range', { max: formatNumber(SUBMISSIONS_MAX, language) })
                  : null
              }
              {...form.inputProps('submissions', values, change)}
              inputMode="numeric"
            />
          </div>
          <LimitFields values={values} change={change} form={form} />
          <ErrorNotice error={isTooLong ? null : form.formError}>
            {isOutcomeUnknown(form.formError) && t('compose:failure.unknown')}
          </ErrorNotice>
          <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
            <Icon name="lock" />
            {t(form.isSending ? 'compose:create.busy' : 'create.action')}
          </button>
        </fieldset>
      </form>
    </Page>
  )
}

/** A retry of the same request uses the same idempotency key, so that a lost response creates no second request. */
function useRequestCreation() {
  const last = useRef<{ values: RequestValues; create: CreateRequestLinks } | null>(null)
  return (values: RequestValues) => {
    if (last.current?.values !== values) last.current = { values, create: prepareRequestLinks(values) }
    return last.current.create()
  }
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
      <InputField
        label={t('create.title')}
        optional
        hint={t('create.note-hint')}
        error={isTitleWrong ? t('compose:problem.title.not-a-line') : null}
        name="title"
        maxLength={TITLE_MAX}
        value={title}
        onChange={({ target }) => change({ title: target.value })}
      />
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
  const { limits, policy } = useSettings().settings
  const isMissing = policy.addressRequired && values.allowedIp.trim() === ''
  const details = useRef<HTMLDetailsElement>(null)
  const isWrong = form.isInvalid('megabytes') || form.isInvalid('allowedIp')
  // Before the form moves the focus to the field.
  useEffect(() => {
    if (isWrong) details.current?.setAttribute('open', '')
  }, [isWrong])
  return (
    <details ref={details} open={policy.addressRequired}>
      <summary>{t('compose:more.label')}</summary>
      <InputField
        label={t('create.size')}
        optional
        hint={t('create.size-hint')}
        error={form.isInvalid('megabytes') ? t('create.size-wrong') : null}
        {...form.inputProps('megabytes', values, change)}
        inputMode="decimal"
      />
      <CodeField
        label={t('compose:address.label')}
        optional={!policy.addressRequired}
        hint={policy.addressRequired && t('compose:required')}
        error={
          form.isInvalid('allowedIp')
            ? problemMessage('allowedIp', { problem: isMissing ? 'required' : 'not-an-address' }, limits)
            : null
        }
        {...form.inputProps('allowedIp', values, change)}
        placeholder={t('compose:address.placeholder')}
      />
      {policy.files && (
        <CheckField
          label={t('create.files')}
          hint={t('create.files-hint')}
          checked={values.allowFiles}
          onChange={(allowFiles) => change({ allowFiles })}
        />
      )}
    </details>
  )
}
