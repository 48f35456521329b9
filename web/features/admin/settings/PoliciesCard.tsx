import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PolicyTable } from '#shared/api'
import { POLICY_EXAMPLES } from '#shared/parse-policy-value'
import { GROUP_NAME_MAX, GROUP_PREFIX, isGroup, POLICY_COLUMNS, type PolicyColumn } from '#shared/policies'
import { Notice } from '../../../components/Notice.js'
import { CodeInput } from '../../../forms/CodeInput.js'
import { Field } from '../../../forms/Field.js'
import { InputField } from '../../../forms/InputField.js'
import { SelectField } from '../../../forms/SelectField.js'
import { errorMessage } from '../../../lib/error-message.js'
import { isolate, isolateLtr } from '../../../lib/format.js'
import { useReloadSettings } from './use-instance-settings-form.js'
import { fieldName, type PoliciesFormState, usePoliciesForm } from './use-policies-form.js'

/** Columns side by side. */
const ROWS: PolicyColumn[][] = [
  ['lifetimes', 'defaultTtl'],
  ['maxViews', 'defaultViews'],
  ['password', 'requireAddress'],
  ['files', 'maxFileBytes'],
  ['mayCreate', 'mayRequest'],
]

interface Props {
  stored: PolicyTable
  /** How many fields were changed and not saved. */
  onChanged(count: number): void
}

/** The choices of visitors, users, administrators and groups. */
export function PoliciesCard({ stored, onChanged }: Props) {
  const { t } = useTranslation('admin')
  const id = useId()
  const form = usePoliciesForm(stored, useReloadSettings())
  const { changedCount } = form
  useEffect(() => onChanged(changedCount), [onChanged, changedCount])
  const isUnchanged = changedCount === 0
  return (
    <form ref={form.ref} className="card" aria-labelledby={id} noValidate onSubmit={form.onSubmit}>
      <h2 id={id}>{t('policies.heading')}</h2>
      <p className="hint">{t('policies.hint')}</p>
      <AudienceFields form={form} />
      {ROWS.map((columns) => (
        <div key={columns[0]} className="row">
          {columns.map((column) => (
            <ColumnField key={`${form.audience} ${column}`} form={form} column={column} />
          ))}
        </div>
      ))}
      {form.formError !== null && (
        <Notice kind="bad" role="alert" heading={t('settings.failed')}>
          {errorMessage(form.formError)}
        </Notice>
      )}
      <div role="status">
        {form.isSaved && !form.isSending && <Notice kind="good">{t('settings.saved')}</Notice>}
        {!isUnchanged && <p className="hint">{t('settings.unsaved', { count: changedCount })}</p>}
      </div>
      <div className="actions">
        <button
          type="submit"
          className={isUnchanged ? 'button primary locked' : 'button primary'}
          aria-disabled={form.isSending || isUnchanged}
        >
          {t(form.isSending ? 'settings.saving' : 'edit.action')}
        </button>
      </div>
    </form>
  )
}

interface FormProps {
  form: PoliciesFormState
}

/** The last choice is a group without a policy. */
function AudienceFields({ form: { audience, audiences, setAudience } }: FormProps) {
  const { t } = useTranslation('admin')
  const [group, setGroup] = useState<string | null>(null)
  const names: Record<string, string> = {
    visitors: t('policies.visitors'),
    users: t('users.heading'),
    administrators: t('settings.who_can_create.admins'),
  }
  const nameOf = (each: string) =>
    isGroup(each) ? t('policies.group', { name: isolate(each.slice(GROUP_PREFIX.length)) }) : names[each]
  const chooseGroup = (name: string) => {
    setGroup(name)
    if (name.trim() !== '') setAudience(`${GROUP_PREFIX}${name.trim()}`)
  }
  return (
    <div className="row">
      <SelectField
        label={t('role.label')}
        value={group === null ? audience : ''}
        onChange={({ target: { value } }) => {
          setGroup(value === '' ? '' : null)
          if (value !== '') setAudience(value)
        }}
      >
        {audiences.map((each) => (
          <option key={each} value={each}>
            {nameOf(each)}
          </option>
        ))}
        <option value="">{t('policies.group', { name: '…' })}</option>
      </SelectField>
      {group !== null && (
        <InputField
          label={t('policies.name')}
          maxLength={GROUP_NAME_MAX}
          value={group}
          onChange={({ target }) => chooseGroup(target.value)}
        />
      )}
    </div>
  )
}

function ColumnField({ form, column }: FormProps & { column: PolicyColumn }) {
  const { t } = useTranslation('admin')
  const { audience, inputs, change } = form
  const type = POLICY_COLUMNS[column]
  const name = fieldName(audience, column)
  const isChoice = type === 'boolean' || typeof type === 'object'
  const example = isChoice ? '' : POLICY_EXAMPLES[type]
  const error = isChoice ? null : form.fieldError(name, t('policies.wrong', { example: isolateLtr(example) }))
  const [yes, no] = column === 'password' ? ['required', 'offered'] : ['true', 'false']
  return (
    <Field label={t(`policies.${column}`)} error={error}>
      {(control) =>
        isChoice ? (
          <select
            {...control}
            name={name}
            value={inputs[column]}
            onChange={({ target }) => change(column, target.value)}
          >
            <option value="">{t('policies.unset')}</option>
            <option value={yes}>{t('policies.yes')}</option>
            <option value={no}>{t('policies.no')}</option>
          </select>
        ) : (
          <CodeInput
            {...control}
            name={name}
            placeholder={example}
            value={inputs[column]}
            onChange={({ target }) => change(column, target.value)}
          />
        )
      }
    </Field>
  )
}
