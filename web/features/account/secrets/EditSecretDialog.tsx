import { useTranslation } from 'react-i18next'
import type { OwnSecret } from '#shared/api'
import { CodeInput } from '../../../forms/CodeInput.js'
import { Field } from '../../../forms/Field.js'
import { FormDialog } from '../../../forms/FormDialog.js'
import { formatDuration, formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { LABEL_MAX } from '../../../lib/secret-labels.js'
import { type EditSecretState, useEditSecret } from './use-edit-secret.js'

interface Props {
  secret: OwnSecret
  name: string
  label: string
  onChanged(): void
  onClosed(): void
}

/** Labels a secret, and lowers its limits while it was not opened. */
export function EditSecretDialog({ secret, name, label, onChanged, onClosed }: Props) {
  const { t } = useTranslation('account')
  const edit = useEditSecret(secret, label, onChanged)
  const isUnopened = secret.views === 0
  return (
    <FormDialog
      form={edit.form}
      heading={t('secrets.edit-of', { name })}
      cancelLabel={t('tokens.cancel')}
      submitLabel={t('secrets.save')}
      busyLabel={t('secrets.save')}
      onClosed={onClosed}
    >
      <Field label={t('secrets.label')} optional hint={t('secrets.label-hint')}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            maxLength={LABEL_MAX}
            value={edit.values.label}
            onChange={({ target }) => edit.change({ label: target.value })}
          />
        )}
      </Field>
      {isUnopened && <p className="hint">{t('secrets.lower-hint')}</p>}
      {isUnopened && secret.maxViews !== null && <ViewsField edit={edit} max={secret.maxViews} />}
      {isUnopened && <ExpiryField edit={edit} />}
      {isUnopened && !secret.isPublic && <AddressField edit={edit} />}
    </FormDialog>
  )
}

interface FieldProps {
  edit: EditSecretState
}

function ViewsField({ edit, max }: FieldProps & { max: number }) {
  const { t } = useTranslation('account')
  const wrong = t('tokens.limit-wrong', { max: formatNumber(max, language) })
  return (
    <Field label={t('secrets.views')} error={edit.form.fieldError('maxViews', wrong)}>
      {(control) => (
        <input
          {...control}
          name="maxViews"
          inputMode="numeric"
          autoComplete="off"
          value={edit.values.maxViews}
          onChange={({ target }) => edit.change({ maxViews: target.value.trim() })}
        />
      )}
    </Field>
  )
}

function ExpiryField({ edit }: FieldProps) {
  const { t } = useTranslation('account')
  return (
    <Field label={t('secrets.expires')} error={edit.form.fieldError('ttl', t('secrets.lower-hint'))}>
      {(control) => (
        <select
          {...control}
          name="ttl"
          value={edit.values.ttl}
          onChange={({ target }) => edit.change({ ttl: target.value })}
        >
          <option value="">{t('secrets.unchanged')}</option>
          {edit.lifetimes.map((seconds) => (
            <option key={seconds} value={seconds}>
              {formatDuration(seconds, language)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function AddressField({ edit }: FieldProps) {
  const { t } = useTranslation('account')
  const wrong = t('tokens.address-wrong')
  return (
    <Field label={t('tokens.address')} optional error={edit.form.fieldError('allowedIp', wrong)}>
      {(control) => (
        <CodeInput
          {...control}
          name="allowedIp"
          value={edit.values.allowedIp}
          onChange={({ target }) => edit.change({ allowedIp: target.value })}
        />
      )}
    </Field>
  )
}
