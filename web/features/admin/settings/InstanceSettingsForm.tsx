import { memo, type ReactNode, useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceSettings, PluginSetting } from '#shared/api'
import {
  type ChoiceName,
  type FlagName,
  INSTANCE_SETTINGS,
  isChoice,
  isFlag,
  SETTING_NAMES,
  type SettingGroup,
  type SettingName,
} from '#shared/instance-settings'
import { ConfirmDialog } from '../../../components/ConfirmDialog.js'
import { Notice } from '../../../components/Notice.js'
import { CheckField } from '../../../forms/CheckField.js'
import { SelectField } from '../../../forms/SelectField.js'
import { errorMessage } from '../../../lib/error-message.js'
import { isolateLtr } from '../../../lib/format.js'
import { DomainField } from './DomainField.js'
import { PluginSettingField } from './PluginSettingField.js'
import { type InstanceSettingsFormState, useInstanceSettingsForm } from './use-instance-settings-form.js'

/** Sections of the form, in order. */
const GROUPS: SettingGroup[] = ['access', 'sign-in', 'sign-up', 'content', 'receipts']

interface Props {
  stored: InstanceSettings
  storedOfPlugins: PluginSetting[]
  /** How many settings were changed and not saved. */
  onChanged(count: number): void
}

/** Changes apply when they are saved. */
export function InstanceSettingsForm({ stored, storedOfPlugins, onChanged }: Props) {
  const { t } = useTranslation('admin')
  const form = useInstanceSettingsForm(stored, storedOfPlugins)
  const { plugins, changedCount } = form
  useEffect(() => onChanged(changedCount), [onChanged, changedCount])
  const pluginNames = [...new Set(plugins.settings.map(({ plugin }) => plugin))]
  return (
    <form ref={form.ref} className="stack" noValidate onSubmit={form.onSubmit}>
      {GROUPS.map((group) => (
        <FieldGroup key={group} heading={t(`settings.${group}`)}>
          {SETTING_NAMES.filter((name) => INSTANCE_SETTINGS[name].group === group).map((name) => (
            <SettingField
              key={name}
              name={name}
              value={form.values[name]}
              isInvalid={form.isInvalid('domains')}
              change={form.change}
            />
          ))}
        </FieldGroup>
      ))}
      {pluginNames.map((plugin) => (
        <FieldGroup key={plugin} heading={t('settings.plugin', { name: isolateLtr(plugin) })}>
          {plugins.settings
            .filter((setting) => setting.plugin === plugin)
            .map((setting) => (
              <PluginSettingField key={setting.name} form={form} setting={setting} />
            ))}
        </FieldGroup>
      ))}
      <Outcome form={form} />
      <Buttons form={form} />
      {form.isAsking && (
        <ConfirmDialog
          heading={t('disable-users.heading')}
          explanation={t('disable-users.explanation')}
          cancelLabel={t('cancel')}
          confirmLabel={t('disable-users.action')}
          onConfirm={form.sendNow}
          onClosed={form.endQuestion}
        />
      )}
    </form>
  )
}

interface FormProps {
  form: InstanceSettingsFormState
}

interface SettingProps<Name extends SettingName> {
  name: Name
  value: InstanceSettings[Name]
  change(changes: Partial<InstanceSettings>): void
}

/** A change renders its own field only. */
const SettingField = memo(function SettingField(props: SettingProps<SettingName> & { isInvalid: boolean }) {
  const { name, value, isInvalid, change } = props
  if (isFlag(name)) return <FlagField name={name} value={value === true} change={change} />
  if (isChoice(name)) return <ChoiceField name={name} value={value as InstanceSettings[ChoiceName]} change={change} />
  return <DomainField value={String(value)} isInvalid={isInvalid} change={(domains) => change({ [name]: domains })} />
})

function FlagField({ name, value, change }: SettingProps<FlagName>) {
  const { t } = useTranslation('admin')
  return (
    <CheckField
      label={t(`settings.${name}.label`)}
      hint={t(`settings.${name}.hint`)}
      state={isNegative(name) ? t(`settings.${name}.${value ? 'off' : 'on'}`) : undefined}
      checked={value}
      onChange={(checked) => change({ [name]: checked })}
    />
  )
}

/** Whether the checkbox turns a feature off. Its label then also shows the state of the feature. */
const isNegative = (name: FlagName) => name.startsWith('disable_')

function ChoiceField({ name, value, change }: SettingProps<ChoiceName>) {
  const { t } = useTranslation('admin')
  const choices = INSTANCE_SETTINGS[name].type
  return (
    <SelectField
      label={t(`settings.${name}.label`)}
      hint={t(`settings.${name}.hint`)}
      value={value}
      onChange={({ target }) => change({ [name]: choices[target.selectedIndex] ?? value })}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {t(`settings.${name}.${choice}`)}
        </option>
      ))}
    </SelectField>
  )
}

function Outcome({ form: { formError, isSaved, changedCount } }: FormProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      {formError !== null && (
        <Notice kind="bad" role="alert" heading={t('settings.failed')}>
          {errorMessage(formError)}
        </Notice>
      )}
      <div role="status">
        {isSaved && <Notice kind="good">{t('settings.saved')}</Notice>}
        {changedCount > 0 && <p className="hint">{t('settings.unsaved', { count: changedCount })}</p>}
      </div>
    </>
  )
}

function Buttons({ form: { changedCount, isSending, discard } }: FormProps) {
  const { t } = useTranslation('admin')
  const id = useId()
  const isUnchanged = changedCount === 0
  return (
    <div className="actions">
      <button
        type="submit"
        className={isUnchanged ? 'button primary locked' : 'button primary'}
        aria-disabled={isSending || isUnchanged}
        aria-describedby={isUnchanged ? id : undefined}
      >
        {t(isSending ? 'settings.saving' : 'settings.save')}
      </button>
      {isUnchanged ? (
        <span id={id} className="hint">
          {t('settings.unchanged')}
        </span>
      ) : (
        <button type="button" className="button" onClick={discard}>
          {t('settings.discard')}
        </button>
      )}
    </div>
  )
}

function FieldGroup({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId()
  return (
    <fieldset className="card" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </fieldset>
  )
}
