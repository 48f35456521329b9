/** The policies of the instance: one instance setting with all rows as JSON. */
import type { Audit, Note } from '../contracts/audit.js'
import type { SettingsStore } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import { PolicyTable } from '../shared/api/policies.js'
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

export function createPolicyStore({ store, audit, onChange }: Parts) {
  let parsed: { text: string; policies: Policies } = { text: '', policies: {} }

  /** The policies among the stored settings: the same object for the same text. Throws an Error for an invalid text. */
  function parse(stored: Record<string, string>): Policies {
    const text = stored[NAME] ?? ''
    if (text !== parsed.text) {
      parsed = { text, policies: text === '' ? {} : PolicyTable.shape.policies.parse(JSON.parse(text)) }
    }
    return parsed.policies
  }

  /** Of two concurrent calls, the later one decides about all rows. */
  async function update(changes: PolicyChanges, caller: Note['caller']): Promise<Policies> {
    const before = parse(await store.getAll())
    const rows: [Audience, Policy | null][] = Object.entries({ ...before, ...changes })
    const after = Object.fromEntries(
      rows.flatMap(([audience, row]) => (row && describeRow(row) ? [[audience, row]] : [])),
    )
    const groups = Object.keys(after).filter(isGroup)
    if (groups.length > GROUPS_MAX) {
      const message = `policies: must name at most ${GROUPS_MAX} groups`
      throw new AppError('request.invalid', { field: 'policies', message })
    }
    const changed = Object.keys(changes).filter(
      (audience) => describeRow(before[audience]) !== describeRow(after[audience]),
    )
    if (changed.length === 0) return after
    await store.set({ [NAME]: JSON.stringify(after) })
    onChange()
    for (const audience of changed) {
      const detail = { from: describeRow(before[audience]), to: describeRow(after[audience]) }
      await audit.note({ action: 'settings.changed', caller, subject: `policy ${audience}`, detail })
    }
    return after
  }

  return { parse, update }
}

/** Such as `lifetimes=1h..7d maxViews=1`; empty for a row without values. */
function describeRow(row: Policy | null | undefined): string {
  return COLUMN_NAMES.flatMap((column) => {
    const value = row?.[column]
    return value === undefined ? [] : [`${column}=${formatPolicyValue(column, value)}`]
  }).join(' ')
}
