import { useCallback, useEffect, useRef, useState } from 'react'
import type { InstanceSettings, PluginSetting } from '#shared/api'
import { parseDomainList } from '#shared/domains'
import { SETTING_NAMES } from '#shared/instance-settings'
import { useForm } from '../../../forms/use-form.js'
import { useSettings } from '../../../lib/settings.js'
import { adminApi } from '../admin-api.js'
import { usePluginSettings } from './use-plugin-settings.js'

/** Other processes of the instance may use their cached settings for this long. */
const PROPAGATION_MS = 2000

export type InstanceSettingsFormState = ReturnType<typeof useInstanceSettingsForm>

/** `isAsking`: for a confirmation, before users are turned off. */
export function useInstanceSettingsForm(stored: InstanceSettings, storedOfPlugins: PluginSetting[]) {
  const reload = useReloadSettings()
  const [isAsking, setAsking] = useState(false)
  const [saved, setSaved] = useState(stored)
  const [values, setValues] = useState(stored)
  const [isSaved, setIsSaved] = useState(false)
  const plugins = usePluginSettings(storedOfPlugins)
  const changed = SETTING_NAMES.filter((name) => values[name] !== saved[name])
  const changedCount = changed.length + plugins.changed.length
  const form = useForm<string>({
    invalid: [...(parseDomainList(values.restrict_organization_email) ? [] : ['domains']), ...plugins.invalid],
    serverFields: plugins.settings.map(({ name }) => name),
    confirm() {
      if (changedCount === 0) return false
      const disablesUsers = values.disable_users && !saved.disable_users
      setAsking(disablesUsers)
      return !disablesUsers
    },
    async send() {
      setIsSaved(false)
      // First, because their plugin can refuse a value.
      await plugins.save()
      if (changed.length > 0) {
        const now = await adminApi.updateSettings(Object.fromEntries(changed.map((name) => [name, values[name]])))
        setSaved(now)
        setValues(now)
      }
      setIsSaved(true)
      reload()
    },
  })
  // The same function in every render, for the fields.
  const change = useCallback((changes: Partial<InstanceSettings>) => {
    setValues((now) => ({ ...now, ...changes }))
    setIsSaved(false)
  }, [])
  function changePlugin(name: string, value: string | boolean): void {
    plugins.change(name, value)
    setIsSaved(false)
  }
  function discard(): void {
    setValues(saved)
    plugins.discard()
    form.reset()
  }
  const endQuestion = () => setAsking(false)
  const ownState = { isAsking, endQuestion, values, isSaved: isSaved && !form.isSending, changedCount, change, discard }
  return { ...form, ...ownState, plugins, changePlugin }
}

/** Loads the settings of the app again, at once and when every process has the new ones. */
export function useReloadSettings(): () => void {
  const { retry } = useSettings()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    retry()
    timer.current = setTimeout(retry, PROPAGATION_MS)
  }
}
