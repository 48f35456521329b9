import { useState } from 'react'
import type { PluginSetting } from '#shared/api'
import { adminApi } from '../admin-api.js'

/** Values by name. Numbers are texts while they are edited. */
type Inputs = Record<string, string | boolean>

/** The settings of plugins in the form of instance settings. */
export function usePluginSettings(stored: PluginSetting[]) {
  const [saved, setSaved] = useState(stored)
  const [values, setValues] = useState(() => toInputs(stored))
  const before = toInputs(saved)
  const changed = saved.filter(({ name }) => values[name] !== before[name])
  const invalid = saved.filter((setting) => !isValidInput(setting, values[setting.name])).map(({ name }) => name)
  async function save(): Promise<void> {
    if (changed.length === 0) return
    const now = await adminApi.updatePluginSettings(
      Object.fromEntries(changed.map(({ name, type }) => [name, toValue(type, values[name])])),
    )
    setSaved(now)
    setValues(toInputs(now))
  }
  return {
    settings: saved,
    values,
    changed,
    /** Names of the numbers that are out of range or not whole. */
    invalid,
    change: (name: string, value: string | boolean) => setValues({ ...values, [name]: value }),
    discard: () => setValues(before),
    save,
  }
}

const toInputs = (settings: PluginSetting[]): Inputs =>
  Object.fromEntries(settings.map(({ name, value }) => [name, typeof value === 'number' ? String(value) : value]))

const toValue = (type: PluginSetting['type'], input: string | boolean = '') =>
  type === 'number' ? Number(input) : input

function isValidInput({ type, min, max }: PluginSetting, input: string | boolean = ''): boolean {
  if (type !== 'number') return true
  const number = Number(input)
  return /^-?\d{1,16}$/.test(String(input).trim()) && number >= (min ?? number) && number <= (max ?? number)
}
