import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { TOKEN_NAME_MAX } from '#shared/account-limits'
import type { CreatedToken } from '#shared/api'
import { ErrorNotice } from '../../../../components/ErrorNotice.js'
import { InputField } from '../../../../forms/InputField.js'
import { SelectField } from '../../../../forms/SelectField.js'
import { formatDuration } from '../../../../lib/format.js'
import { language } from '../../../../lib/i18n.js'
import { LimitFields } from './LimitFields.js'
import { ScopeFields } from './ScopeFields.js'
import { TOKEN_LIMITS } from './token-limits.js'
import { isCreateOnly } from './token-scopes.js'
import { DAY_MS, type NewTokenFormState, useNewTokenForm } from './use-new-token-form.js'

interface Props {
  onCreate(token: CreatedToken): void
  onCancel(): void
}

export function NewTokenForm({ onCreate, onCancel }: Props) {
  const { t } = useTranslation('account')
  const form = useNewTokenForm(onCreate)
  const { values, change } = form
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears
  useEffect(() => form.ref.current?.querySelector<HTMLInputElement>('[name=name]')?.focus(), [])
  return (
    <form ref={form.ref} className="stack" noValidate onSubmit={form.onSubmit}>
      <ErrorNotice error={form.error} />
      <NameField form={form} />
      <ScopeFields scopes={values.scopes} isMissing={form.isInvalid('scope')} change={(scopes) => change({ scopes })} />
      {isCreateOnly(values.scopes) && (
        <LimitFields
          limits={values.limits}
          change={(limits) => change({ limits })}
          invalid={TOKEN_LIMITS.filter((name) => form.errorField === name || form.isInvalid(name))}
        />
      )}
      <div className="row">
        <LifetimeField form={form} />
        <AllowedIpField form={form} />
      </div>
      <div className="actions">
        <button type="submit" className="button primary" aria-disabled={form.isSending}>
          {t(form.isSending ? 'tokens.busy' : 'tokens.create')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {t('tokens.cancel')}
        </button>
      </div>
    </form>
  )
}

function NameField({ form }: { form: NewTokenFormState }) {
  const { t } = useTranslation('account')
  return (
    <InputField
      label={t('tokens.name')}
      hint={t('tokens.name-hint')}
      error={form.isInvalid('name') ? t('tokens.name-missing') : null}
      name="name"
      required
      maxLength={TOKEN_NAME_MAX}
      value={form.values.name}
      onChange={({ target }) => form.change({ name: target.value })}
    />
  )
}

function LifetimeField({ form }: { form: NewTokenFormState }) {
  const { t } = useTranslation('account')
  return (
    <SelectField
      label={t('tokens.expires')}
      value={form.values.days}
      onChange={({ target }) => form.change({ days: Number(target.value) })}
    >
      {form.lifetimes.map((days) => (
        <option key={days} value={days}>
          {formatDuration((days * DAY_MS) / 1000, language)}
        </option>
      ))}
    </SelectField>
  )
}

function AllowedIpField({ form }: { form: NewTokenFormState }) {
  const { t } = useTranslation('account')
  return (
    <InputField
      label={t('tokens.address')}
      optional
      error={form.fieldError('allowedIp', t('tokens.address-wrong'))}
      hint={t('tokens.address-hint')}
      name="allowedIp"
      spellCheck={false}
      dir="ltr"
      value={form.values.allowedIp}
      onChange={({ target }) => form.change({ allowedIp: target.value })}
    />
  )
}
