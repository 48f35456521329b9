/** The policies of the instance: one instance setting with all rows as JSON. */
import type { Audit, Note } from '../contracts/audit.js'
import type { SettingsStore } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import { type PolicyTable, StoredPolicies } from '../shared/api/policies.js'
import {
  type Audience,
  COLUMN_NAMES,
  formatPolicyValue,
  GROUPS_MAX,
  isGroup,
  type Policies,
  type Policy,
} from '../shared/policies.js'

/** Rows by audience; null removes one. */
export type PolicyChanges = Record<Audience, Policy | null>

interface Parts {
  store: SettingsStore
  audit: Audit
  /** Called after each change by this process. */
  onChange: () => void
}

const NAME = 'policies'
const VERSION = 'policies_version'

/** Attempts of a change without a version. Each failed one means that another administrator changed something. */
const ATTEMPTS = 10

export function createPolicyStore({ store, audit, onChange }: Parts) {
  let parsed: { text: string; policies: Policies } = { text: '', policies: {} }

  /** The policies among the stored settings: the same object for the same text. Throws an Error for an invalid text. */
  function parse(stored: Record<string, string>): Policies {
    const text = stored[NAME] ?? ''
    if (text !== parsed.text) {
      parsed = { text, policies: text === '' ? {} : StoredPolicies.parse(JSON.parse(text)) }
    }
    return parsed.policies
  }

  /** Not from a cache, which could have an earlier version. */
  async function read(): Promise<PolicyTable> {
    const stored = await store.getAll()
    return { policies: parse(stored), version: Number(stored[VERSION] ?? 0) }
  }

  /**
   * Concurrent calls keep the rows of each other. `version`: of the policies that the caller has read. Throws AppError
   * `settings.policies_changed` if it is not the current one.
   */
  async function update(changes: PolicyChanges, caller: Note['caller'], version?: number): Promise<PolicyTable> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const before = await read()
      if (version !== undefined && version !== before.version) break
      const after = applyChanges(before.policies, changes)
      const changed = Object.keys(changes).filter(
        (audience) => describeRow(before.policies[audience]) !== describeRow(after[audience]),
      )
      if (changed.length === 0) return before
      const next = before.version + 1
      const condition = { name: VERSION, value: before.version === 0 ? null : String(before.version) }
      const values = { [NAME]: JSON.stringify(after), [VERSION]: String(next) }
      if (!(await store.setIf(condition, values))) continue
      onChange()
      for (const audience of changed) {
        const detail = { from: describeRow(before.policies[audience]), to: describeRow(after[audience]) }
        await audit.note({ action: 'settings.changed', caller, subject: `policy ${audience}`, detail })
      }
      return { policies: after, version: next }
    }
    throw new AppError('settings.policies_changed')
  }

  return { parse, read, update }
}

/** Throws AppError `request.invalid` for too many groups. */
function applyChanges(policies: Policies, changes: PolicyChanges): Policies {
  const rows: [Audience, Policy | null][] = Object.entries({ ...policies, ...changes })
  const after = Object.fromEntries(
    rows.flatMap(([audience, row]) => (row && describeRow(row) ? [[audience, row]] : [])),
  )
  if (Object.keys(after).filter(isGroup).length > GROUPS_MAX) {
    const message = `policies: must name at most ${GROUPS_MAX} groups`
    throw new AppError('request.invalid', { field: 'policies', message })
  }
  return after
}

/** Such as `lifetimes=1h..7d maxViews=1`; empty for a row without values. */
function describeRow(row: Policy | null | undefined): string {
  return COLUMN_NAMES.flatMap((column) => {
    const value = row?.[column]
    return value === undefined ? [] : [`${column}=${formatPolicyValue(column, value)}`]
  }).join(' ')
}
