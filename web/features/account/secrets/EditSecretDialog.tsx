import { useTranslation } from 'react-i18next'
import type { OwnSecret } from '#shared/api'
import { FormDialog } from '../../../forms/FormDialog.js'
import { CodeField, InputField } from '../../../forms/InputField.js'
import { SelectField } from '../../../forms/SelectField.js'
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
      <InputField
        label={t('secrets.label')}
        optional
        hint={t('secrets.label-hint')}
        maxLength={LABEL_MAX}
        value={edit.values.label}
        onChange={({ target }) => edit.change({ label: target.value })}
      />
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
    <InputField
      label={t('secrets.views')}
      error={edit.form.fieldError('maxViews', wrong)}
      name="maxViews"
      inputMode="numeric"
      value={edit.values.maxViews}
      onChange={({ target }) => edit.change({ maxViews: target.value.trim() })}
    />
  )
}

function ExpiryField({ edit }: FieldProps) {
  const { t } = useTranslation('account')
  return (
    <SelectField
      label={t('secrets.expires')}
      error={edit.form.fieldError('ttl', t('secrets.lower-hint'))}
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
    </SelectField>
  )
}

function AddressField({ edit }: FieldProps) {
  const { t } = useTranslation('account')
  const wrong = t('tokens.address-wrong')
  return (
    <CodeField
      label={t('tokens.address')}
      optional
      error={edit.form.fieldError('allowedIp', wrong)}
      name="allowedIp"
      value={edit.values.allowedIp}
      onChange={({ target }) => edit.change({ allowedIp: target.value })}
    />
  )
}
