import { type FormEvent, useState } from 'react'
import type { PolicyTable } from '#shared/api'
import { isPolicyText, parsePolicyValue } from '#shared/parse-policy-value'
import {
  type Audience,
  COLUMN_NAMES,
  FIXED_AUDIENCES,
  formatPolicyValue,
  type Policies,
  type Policy,
  type PolicyColumn,
} from '#shared/policies'
import { useForm } from '../../../forms/use-form.js'
import { adminApi } from '../admin-api.js'
import { reloadIfChanged } from './reload-if-changed.js'

/** Texts of the fields of an audience. Empty: not set. */
type Inputs = Record<PolicyColumn, string>

export type PoliciesFormState = ReturnType<typeof usePoliciesForm>

/** The names of the API, so that a refused field gets the focus. */
export const fieldName = (audience: Audience, column: PolicyColumn) => `policies.${audience}.${column}`

/** Edits policies. Changes of all audiences are saved together. `onSaved`: called after that. */
export function usePoliciesForm(stored: PolicyTable, onSaved: () => void) {
  const [saved, setSaved] = useState(stored)
  const [drafts, setDrafts] = useState<Record<Audience, Inputs>>({})
  const [audience, setAudience] = useState<Audience>(FIXED_AUDIENCES[0])
  const [isSaved, setIsSaved] = useState(false)
  const { policies } = saved
  const changedIn = (each: Audience) => listChanged(drafts[each], toInputs(policies[each]))
  const changed = Object.keys(drafts).filter((each) => changedIn(each).length > 0)
  const changedCount = changed.flatMap(changedIn).length
  const names = changed.flatMap((each) => COLUMN_NAMES.map((column) => [each, column] as const))
  const wrong = names.filter(([each, column]) => !isPolicyText(column, drafts[each]?.[column] ?? ''))
  const form = useForm<string>({
    invalid: wrong.map(([each, column]) => fieldName(each, column)),
    serverFields: names.map(([each, column]) => fieldName(each, column)),
    confirm: () => changed.length > 0,
    async send() {
      const rows = changed.map((each) => [each, toPolicy(drafts[each])])
      const changes = { policies: Object.fromEntries(rows), version: saved.version }
      setSaved(await reloadIfChanged(adminApi.updatePolicies(changes), adminApi.readPolicies, showCurrent))
      setDrafts({})
      setIsSaved(true)
      onSaved()
    },
  })
  /** Keeps the typed values. */
  function showCurrent(current: PolicyTable): void {
    setSaved(current)
    setDrafts(moveDrafts(drafts, policies, current.policies))
  }
  const inputs = drafts[audience] ?? toInputs(policies[audience])
  const change = (column: PolicyColumn, text: string) => {
    setIsSaved(false)
    setDrafts({ ...drafts, [audience]: { ...inputs, [column]: text } })
  }
  /** Shows the audience of the first invalid field, which gets the focus. */
  const onSubmit = (event: FormEvent) => {
    const first = wrong.find(([each]) => each === audience) ?? wrong[0]
    if (first) setAudience(first[0])
    form.onSubmit(event)
  }
  const audiences = [...new Set([...FIXED_AUDIENCES, ...Object.keys(policies), ...changed, audience])]
  return { ...form, audience, audiences, setAudience, inputs, change, changedCount, isSaved, onSubmit }
}

const toInputs = (row: Policy = {}): Inputs =>
  Object.fromEntries(
    COLUMN_NAMES.map((column) => {
      const value = row[column]
      return [column, value === undefined ? '' : formatPolicyValue(column, value)]
    }),
  ) as Inputs

/** Null for a row without values, which is removed. Only for valid texts. */
function toPolicy(inputs: Inputs | undefined): Policy | null {
  const set = Object.entries(inputs ?? {}).filter(([, text]) => text.trim() !== '') as [PolicyColumn, string][]
  return set.length === 0
    ? null
    : Object.fromEntries(set.map(([column, text]) => [column, parsePolicyValue(column, text)]))
}

const listChanged = (inputs: Inputs | undefined, stored: Inputs): PolicyColumn[] =>
  COLUMN_NAMES.filter((column) => inputs && inputs[column] !== stored[column])

/** Drafts with the new values of all fields that were not changed in them. */
const moveDrafts = (drafts: Record<Audience, Inputs>, before: Policies, after: Policies): Record<Audience, Inputs> =>
  Object.fromEntries(
    Object.entries(drafts).map(([audience, inputs]) => {
      const changed = listChanged(inputs, toInputs(before[audience]))
      const kept = Object.fromEntries(changed.map((column) => [column, inputs[column]]))
      return [audience, Object.assign(toInputs(after[audience]), kept)]
    }),
  )
