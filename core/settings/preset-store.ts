/** The presets of the instance: one instance setting with the list as JSON. */
import type { Audit, Note } from '../contracts/audit.js'
import type { SettingsStore } from '../contracts/storage.js'
import { UpdatePresets } from '../shared/api/presets.js'
import { formatPolicyValue } from '../shared/policies.js'
import type { Preset } from '../shared/presets.js'

interface Parts {
  store: SettingsStore
  audit: Audit
  /** Called after each change by this process. */
  onChange: () => void
}

const NAME = 'presets'

export function createPresetStore({ store, audit, onChange }: Parts) {
  let parsed: { text: string; presets: Preset[] } = { text: '', presets: [] }

  /** The presets among the stored settings. Throws an Error for an invalid text. */
  function parse(stored: Record<string, string>): Preset[] {
    const text = stored[NAME] ?? ''
    if (text !== parsed.text) {
      parsed = { text, presets: text === '' ? [] : UpdatePresets.parse({ presets: JSON.parse(text) }).presets }
    }
    return parsed.presets
  }

  /** Replaces all presets. */
  async function update(presets: Preset[], caller: Note['caller']): Promise<Preset[]> {
    const stored = await store.getAll()
    const before = parse(stored)
    const text = JSON.stringify(presets)
    if (text === (stored[NAME] ?? '[]')) return presets
    await store.set({ [NAME]: text })
    onChange()
    for (const name of new Set([...before, ...presets].map((preset) => preset.name))) {
      const [from = '', to = ''] = [before, presets].map((list) =>
        describePreset(list.find((each) => each.name === name)),
      )
      if (from === to) continue
      await audit.note({ action: 'settings.changed', caller, subject: `preset ${name}`, detail: { from, to } })
    }
    return presets
  }

  return { parse, update }
}

/** Such as `ttl=1d maxViews=1 options=password`; empty for no preset. */
function describePreset(preset: Preset | undefined): string {
  if (!preset) return ''
  const { ttl, maxViews, options } = preset
  return [
    ttl !== undefined && `ttl=${formatPolicyValue('defaultTtl', ttl)}`,
    maxViews !== undefined && `maxViews=${maxViews}`,
    `options=${options.join(',')}`,
  ]
    .filter(Boolean)
    .join(' ')
}
