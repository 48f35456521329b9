/** Named options for new secrets, one at a time. Saved with a button. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Presets } from '#shared/api'
import { isPolicyText } from '#shared/parse-policy-value'
import { PRESET_NAME_MAX, PRESET_OPTIONS, PRESETS_MAX, type Preset, type PresetOption } from '#shared/presets'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Notice } from '../../../components/Notice.js'
import { CheckField } from '../../../forms/CheckField.js'
import { CodeField, InputField } from '../../../forms/InputField.js'
import { SelectField } from '../../../forms/SelectField.js'
import { type Form, useForm } from '../../../forms/use-form.js'
import { isolateLtr } from '../../../lib/format.js'
import { useLoaded } from '../../../lib/use-loaded.js'
import { isNameFree, moveInputs, type PresetInputs, toInputs, toPreset } from './preset-inputs.js'
import { loadPresets, savePresets } from './presets-api.js'
import { reloadIfChanged } from './reload-if-changed.js'
import { useReloadSettings } from './use-instance-settings-form.js'

export function PresetsForm() {
  const { value: stored, setValue: setStored, error } = useLoaded(loadPresets)
  return stored ? <Fields stored={stored} onChange={setStored} /> : <ErrorNotice error={error} />
}

interface Props {
  stored: Presets
  onChange(stored: Presets): void
}

function Fields(props: Props) {
  const { t } = useTranslation('admin')
  const { presets } = props.stored
  const { form, at, choose, inputs, change, isSaved, removal } = usePresetsForm(props)
  return (
    <form ref={form.ref} className="stack" noValidate onSubmit={form.onSubmit}>
      <p className="hint">{t('presets.hint')}</p>
      <SelectField label={t('presets.heading')} value={at} onChange={({ target }) => choose(Number(target.value))}>
        {presets.map(({ name }, index) => (
          <option key={name} value={index}>
            {name}
          </option>
        ))}
        {presets.length < PRESETS_MAX && <option value={presets.length}>{t('presets.new')}</option>}
      </SelectField>
      <InputField
        label={t('presets.name')}
        error={form.fieldError(`presets.${at}.name`, t('presets.wrong'))}
        name={`presets.${at}.name`}
        dir="auto"
        maxLength={PRESET_NAME_MAX}
        value={inputs.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <LimitFields form={form} at={at} inputs={inputs} change={change} />
      <OptionChecks inputs={inputs} change={change} />
      <ErrorNotice error={form.formError ?? removal.error} />
      <div role="status">{isSaved && !form.isSending && <Notice kind="good">{t('settings.saved')}</Notice>}</div>
      <div className="actions">
        <button type="submit" className="button primary" aria-disabled={form.isSending}>
          {t(form.isSending ? 'settings.saving' : 'edit.action')}
        </button>
        {at < presets.length && (
          <button type="button" className="button danger" aria-disabled={removal.isSending} onClick={removal.sendNow}>
            {t('presets.delete')}
          </button>
        )}
      </div>
    </form>
  )
}

interface FieldsProps {
  inputs: PresetInputs
  change(changes: Partial<PresetInputs>): void
}

function LimitFields({ form, at, inputs, change }: FieldsProps & { form: Form<string>; at: number }) {
  const { t } = useTranslation(['admin', 'compose'])
  const wrong = (example: string) => t('policies.wrong', { example: isolateLtr(example) })
  return (
    <div className="row">
      <CodeField
        label={t('compose:expiry.label')}
        error={form.fieldError(`presets.${at}.ttl`, wrong('1d'))}
        name={`presets.${at}.ttl`}
        placeholder="1d"
        value={inputs.ttl}
        onChange={({ target }) => change({ ttl: target.value })}
      />
      <CodeField
        label={t('compose:views.label')}
        error={form.fieldError(`presets.${at}.maxViews`, wrong('1'))}
        name={`presets.${at}.maxViews`}
        placeholder="1"
        disabled={inputs.options.includes('preventBurn')}
        value={inputs.options.includes('preventBurn') ? '' : inputs.maxViews}
        onChange={({ target }) => change({ maxViews: target.value })}
      />
    </div>
  )
}

function OptionChecks({ inputs: { options }, change }: FieldsProps) {
  const { t } = useTranslation(['admin', 'compose'])
  const labels: Record<PresetOption, string> = {
    password: t('compose:password.label'),
    recipients: t('compose:recipients.label'),
    preventBurn: t('compose:keep.label'),
    receipt: t('compose:receipt.label'),
    notify: t('compose:notify.label'),
  }
  const turn = (option: PresetOption, isOn: boolean) =>
    change({ options: PRESET_OPTIONS.filter((each) => (each === option ? isOn : options.includes(each))) })
  return PRESET_OPTIONS.map((option) => (
    <CheckField
      key={option}
      label={labels[option]}
      checked={options.includes(option)}
      onChange={(isOn) => turn(option, isOn)}
    />
  ))
}

function usePresetsForm({ stored: { presets, version }, onChange }: Props) {
  const reload = useReloadSettings()
  /** The index of the shown preset; the number of presets: a new one. */
  const [at, setAt] = useState(0)
  const [inputs, setInputs] = useState(toInputs(presets[0]))
  const [isSaved, setSaved] = useState(false)
  /** After a change by another administrator, the form shows the same preset, and keeps the typed values. */
  const showCurrent = (current: Presets) => {
    const shown = presets[at]
    const found = current.presets.findIndex(({ name }) => name === shown?.name)
    onChange(current)
    setAt(found === -1 ? current.presets.length : found)
    setInputs(moveInputs(inputs, shown, current.presets[found] ?? shown))
  }
  const store = async (next: Preset[]) => {
    setSaved(false)
    const saved = await reloadIfChanged(savePresets({ presets: next, version }), loadPresets, showCurrent)
    onChange(saved)
    setSaved(true)
    reload()
    return saved.presets
  }
  const form = useForm<string>({
    invalid: findInvalid(inputs, presets, at),
    serverFields: ['name', 'ttl', 'maxViews'].map((name) => `presets.${at}.${name}`),
    async send() {
      const preset = toPreset(inputs)
      await store(presets[at] ? presets.map((each, index) => (index === at ? preset : each)) : [...presets, preset])
      form.reset()
    },
  })
  const show = (index: number, from: Preset[]) => {
    form.reset()
    setAt(index)
    setInputs(toInputs(from[index]))
  }
  const removal = useForm<string>({
    invalid: [],
    async send() {
      show(0, await store(presets.filter((_, index) => index !== at)))
    },
  })
  const choose = (index: number) => {
    setSaved(false)
    show(index, presets)
  }
  const change = (changes: Partial<PresetInputs>) => {
    setSaved(false)
    setInputs({ ...inputs, ...changes })
  }
  return { form, at, choose, inputs, change, isSaved, removal }
}

/** Names of fields. */
function findInvalid({ name, ttl, maxViews }: PresetInputs, presets: Preset[], at: number): string[] {
  return [
    ...(isNameFree(name, presets, at) ? [] : [`presets.${at}.name`]),
    ...(isPolicyText('defaultTtl', ttl) ? [] : [`presets.${at}.ttl`]),
    ...(isPolicyText('maxViews', maxViews) ? [] : [`presets.${at}.maxViews`]),
  ]
}
