import { useTranslation } from 'react-i18next'
import type { PluginSetting } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { CheckField } from '../../../forms/CheckField.js'
import { type ControlProps, Field } from '../../../forms/Field.js'
import { isolate, isolateLtr } from '../../../lib/format.js'
import type { InstanceSettingsFormState } from './use-instance-settings-form.js'

interface Props {
  setting: PluginSetting
  form: InstanceSettingsFormState
}

/** A field for a setting of a plugin, by its type. The plugin brings the texts. */
export function PluginSettingField({ setting, form }: Props) {
  const { name, type, label } = setting
  const hint = setting.hint === '' ? '' : isolate(setting.hint)
  const { values } = form.plugins
  const title = label === '' ? isolateLtr(name) : label
  const change = (value: string | boolean) => form.changePlugin(name, value)
  const error = useFieldError(setting, form)
  if (type === 'boolean')
    return <CheckField label={title} hint={hint} checked={values[name] === true} onChange={change} />
  const value = String(values[name] ?? '')
  return (
    <Field label={title} hint={hint} error={error}>
      {(control) =>
        type === 'choice' ? (
          <ChoiceInput control={control} setting={setting} value={value} change={change} />
        ) : (
          <input
            {...control}
            name={name}
            autoComplete="off"
            dir={type === 'number' ? 'ltr' : 'auto'}
            inputMode={type === 'number' ? 'numeric' : 'text'}
            value={value}
            onChange={({ target }) => change(target.value)}
          />
        )
      }
    </Field>
  )
}

interface ChoiceProps {
  control: ControlProps
  setting: PluginSetting
  value: string
  change(value: string): void
}

function ChoiceInput({ control, setting: { name, choices }, value, change }: ChoiceProps) {
  return (
    <select {...control} name={name} value={value} onChange={({ target }) => change(target.value)}>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  )
}

/** Why the value is invalid: out of range, or refused by the server. Null if it is not known to be invalid. */
function useFieldError({ name, min, max }: PluginSetting, form: InstanceSettingsFormState): string | null {
  const { t } = useTranslation('admin')
  if (form.isInvalid(name)) return t('settings.wrong-number', { min, max })
  if (form.errorField !== name || !(form.error instanceof ApiError)) return null
  const { message } = form.error.body
  return message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message
}
