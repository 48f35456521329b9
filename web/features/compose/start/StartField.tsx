/** The choice of the initial values of the form: presets, the options of the last secret, or the defaults. */
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passphrasePart } from '../../../lib/passphrase-part.js'
import { useSettings } from '../../../lib/settings.js'
import { type DraftStore, type Options, useDraft } from '../draft/draft-store.js'
import { defaultValues, isSame, lastValues, presetValues, type StartValues } from './start-values.js'

interface Props {
  options: Options
  change(changed: Partial<Options>): void
}

interface Choice {
  /** `last`, `defaults`, or the index of a preset. */
  id: string
  label: string
  values: StartValues
  wants: string[]
}

/** The options of an unchanged form that started with the last ones. */
let applied: Options | null = null

/** One radio button each, so that the arrow keys choose. Nothing if there is no choice. */
export function StartField({ options, change }: Props) {
  const { t } = useTranslation('compose')
  const name = useId()
  const { ref, choices, chosen, choose } = useStart(change)
  return (
    <fieldset ref={ref} className="start" hidden={choices.length < 2}>
      <legend>{t('start.label')}</legend>
      {choices.map((choice) => (
        <div key={choice.id} className="check">
          <input
            id={`${name}-${choice.id}`}
            type="radio"
            name={name}
            checked={chosen === choice.id && isSame(options, choice.values)}
            onChange={() => choose(choice)}
          />
          <label htmlFor={`${name}-${choice.id}`}>
            <bdi>{choice.label}</bdi>
          </label>
        </div>
      ))}
    </fieldset>
  )
}

function useStart(change: Props['change']) {
  const draft = useDraft()
  const ref = useRef<HTMLFieldSetElement>(null)
  const { last, choices } = useChoices()
  const [chosen, setChosen] = useState(choices[0]?.id)
  const latest = useRef(change)
  latest.current = change
  const generated = useRef('')

  function choose({ id, values, wants }: Choice): void {
    setChosen(id)
    const isGenerated = generated.current !== '' && draft.options.password === generated.current
    latest.current(isGenerated ? Object.assign({ password: '' }, values) : values)
    if (wants.includes('recipients')) openOptions(ref.current)
    if (!wants.includes('password') || draft.options.password !== '') return
    passphrasePart.load().then(
      ({ passphrase }) => {
        generated.current = passphrase()
        latest.current({ password: generated.current })
      },
      // The field stays empty, and its own button shows the error.
      () => {},
    )
  }

  useEffect(() => {
    if (!isUnchanged(draft)) return
    const { isMoreOpen, ...values } = last
    if (!isSame(draft.options, values)) latest.current(values)
    applied = draft.options
    if (isMoreOpen) openOptions(ref.current)
  }, [draft, last])

  return { ref, choices, chosen, choose }
}

const isUnchanged = ({ options, initial }: DraftStore) => options === initial || options === applied

function useChoices() {
  const { t } = useTranslation('compose')
  const { settings } = useSettings()
  // Not read again: the form stores its own options when it is sent.
  const [last] = useState(() => lastValues(settings))
  const defaults = defaultValues(settings)
  const choices: Choice[] = [
    ...(isSame(last, defaults) ? [] : [{ id: 'last', label: t('start.last'), values: last, wants: [] }]),
    { id: 'defaults', label: t('start.defaults'), values: defaults, wants: [] },
    ...settings.presets.map((preset, index) => ({
      id: String(index),
      label: preset.name,
      values: presetValues(preset, last),
      wants: preset.options,
    })),
  ]
  return { last, choices }
}

function openOptions(field: HTMLElement | null): void {
  field?.closest('form')?.querySelector('details')?.setAttribute('open', '')
}
