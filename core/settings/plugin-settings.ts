/**
 * Values of the instance settings that plugins declare. Values of plugins that are not configured stay stored, and are
 * ignored.
 */
import type { Audit, Note } from '../contracts/audit.js'
import type { SettingsStore } from '../contracts/storage.js'
import { cacheFor } from '../lib/cache-for.js'
import { fieldError } from '../lib/errors.js'
import type { PluginSetting as ListedSetting } from '../shared/api/admin.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import type { SettingValue } from '../shared/plugin-setting.js'
import type { PluginSetting } from './plugin-setting-schemas.js'

export interface PluginSettings {
  /** All settings of the configured plugins, with their values. */
  list(): Promise<ListedSetting[]>
  /** A value, up to `CACHE_MS` old. Throws an Error for an unknown name. */
  get(name: string): Promise<SettingValue>
  /** Changes the given settings, all or none, and returns all. Throws AppError `request.invalid` with the field. */
  update(changes: Record<string, SettingValue>, caller: Note['caller']): Promise<ListedSetting[]>
  /** The next `get` reads the storage. */
  invalidate(): void
}

interface Parts {
  store: SettingsStore
  definitions: PluginSetting[]
  audit: Audit
  /** Called after each change by this process. */
  onChange: () => void
  now: () => EpochMs
}

/** As for the other settings. */
const CACHE_MS = 1000

type Values = Map<string, SettingValue>

export function createPluginSettings({ store, definitions, audit, onChange, now }: Parts): PluginSettings {
  const byName = new Map(definitions.map((each) => [each.name, each]))
  const load = async (): Promise<Values> => {
    const stored = await store.getAll()
    return new Map(definitions.map((each) => [each.name, readStored(each, stored)]))
  }
  const cache = cacheFor(CACHE_MS, { load, now })
  const toList = (values: Values) =>
    definitions.map(({ check: _, ...each }) => ({ ...each, value: values.get(each.name) ?? each.default }))

  return {
    list: async () => toList(definitions.length === 0 ? new Map() : await load()),

    async get(name) {
      const definition = byName.get(name)
      if (!definition) throw new Error(`No plugin declares the setting "${name}".`)
      return (await cache.get()).get(name) ?? definition.default
    },

    async update(changes, caller) {
      const wanted = Object.entries(changes).map(
        ([name, value]) => [name, parse(byName.get(name), name, value)] as const,
      )
      const before = await load()
      const changed = wanted.filter(([name, value]) => value !== before.get(name))
      if (changed.length > 0) {
        await store.set(Object.fromEntries(changed.map(([name, value]) => [name, String(value)])))
        cache.clear()
        onChange()
      }
      for (const [name, value] of changed) {
        const detail = { from: before.get(name) ?? null, to: value }
        await audit.note({ action: 'settings.changed', caller, subject: name, detail })
      }
      return toList(new Map([...before, ...changed]))
    },

    invalidate: cache.clear,
  }
}

/** A value that another version of the plugin has stored, and that is invalid now, counts as the default. */
function readStored({ name, check, default: fallback }: PluginSetting, stored: Record<string, string>): SettingValue {
  if (!Object.hasOwn(stored, name)) return fallback
  const checked = check(stored[name])
  return 'value' in checked ? checked.value : fallback
}

/** Throws AppError `request.invalid` with the name as field. */
function parse(definition: PluginSetting | undefined, name: string, value: SettingValue): SettingValue {
  const checked = definition?.check(value) ?? { problem: 'is not a setting of a configured plugin' }
  if ('value' in checked) return checked.value
  throw fieldError(name, checked.problem)
}
