/**
 * Instance settings that administrators change as a whole document: JSON, with a version in a second setting. Of two
 * administrators who change the same version, one gets an error.
 */
import type { Audit, Note } from '../contracts/audit.js'
import type { SettingsStore } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import { StoredPolicies } from '../shared/api/policies.js'
import { UpdatePresets } from '../shared/api/presets.js'
import { COLUMN_NAMES, formatPolicyValue, type Policies, type Policy } from '../shared/policies.js'
import type { Preset } from '../shared/presets.js'

export interface SettingsDocument<T> {
  /** The document among the stored settings: the same object for the same text. Throws an Error for an invalid text. */
  parse(stored: Record<string, string>): T
  /** Not from a cache, which could have an earlier version. `version`: 0 if the document was never changed. */
  read(): Promise<Versioned<T>>
  /**
   * Concurrent calls do not overwrite each other: `change` runs again on the new document. `version`: of the document
   * that the caller has read. Throws AppError `settings.changed` if it is not the current version.
   */
  update(change: (before: T) => T, caller: Note['caller'], version?: number): Promise<Versioned<T>>
}

interface Versioned<T> {
  value: T
  version: number
}

interface Kind<T> {
  /** Of the setting. */
  name: string
  /** A new object for each document, because values derived from a policy table are cached by the object. */
  empty(): T
  parse(json: unknown): T
  /** Texts for the audit log by subject. */
  describe(value: T): Record<string, string>
}

interface Parts {
  store: SettingsStore
  audit: Audit
  /** Called after each change by this process. */
  onChange: () => void
}

/** Attempts of a change without a version. Each failed one means that another administrator changed something. */
const ATTEMPTS = 10

export function createSettingsDocument<T>({ store, audit, onChange }: Parts, kind: Kind<T>): SettingsDocument<T> {
  const { name, empty, describe } = kind
  const versionName = `${name}_version`
  let parsed = { text: '', value: empty() }

  function parse(stored: Record<string, string>): T {
    const text = stored[name] ?? ''
    if (text !== parsed.text) parsed = { text, value: text === '' ? empty() : kind.parse(JSON.parse(text)) }
    return parsed.value
  }

  async function read(): Promise<Versioned<T>> {
    const stored = await store.getAll()
    return { value: parse(stored), version: Number(stored[versionName] ?? 0) }
  }

  async function note(before: T, after: T, caller: Note['caller']): Promise<void> {
    const [old, current] = [describe(before), describe(after)]
    for (const subject of Object.keys({ ...current, ...old })) {
      const detail = { from: old[subject] ?? '', to: current[subject] ?? '' }
      if (detail.from !== detail.to) await audit.note({ action: 'settings.changed', caller, subject, detail })
    }
  }

  return {
    parse,
    read,
    async update(change, caller, version) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const before = await read()
        if (version !== undefined && version !== before.version) break
        const value = change(before.value)
        const text = JSON.stringify(value)
        if (text === JSON.stringify(before.value)) return before
        const next = before.version + 1
        const condition = { name: versionName, value: before.version === 0 ? null : String(before.version) }
        if (!(await store.setIf(condition, { [name]: text, [versionName]: String(next) }))) continue
        onChange()
        await note(before.value, value, caller)
        return { value, version: next }
      }
      throw new AppError('settings.changed')
    },
  }
}

export const POLICIES: Kind<Policies> = {
  name: 'policies',
  empty: () => ({}),
  parse: (json) => StoredPolicies.parse(json),
  describe: (policies) =>
    Object.fromEntries(Object.entries(policies).map(([audience, row]) => [`policy ${audience}`, describePolicy(row)])),
}

export const PRESETS: Kind<Preset[]> = {
  name: 'presets',
  empty: () => [],
  parse: (json) => UpdatePresets.parse({ presets: json }).presets,
  describe: (presets) => Object.fromEntries(presets.map((preset) => [`preset ${preset.name}`, describePreset(preset)])),
}

/** Such as `lifetimes=1h..7d maxViews=1`. */
const describePolicy = (row: Policy): string =>
  COLUMN_NAMES.flatMap((column) => {
    const value = row[column]
    return value === undefined ? [] : [`${column}=${formatPolicyValue(column, value)}`]
  }).join(' ')

/** Such as `ttl=1d maxViews=1 options=password`. */
function describePreset({ ttl, maxViews, options }: Preset): string {
  const limits = { defaultTtl: ttl, maxViews }
  return [describePolicy(limits).replace('defaultTtl=', 'ttl='), `options=${options.join(',')}`]
    .filter(Boolean)
    .join(' ')
}
