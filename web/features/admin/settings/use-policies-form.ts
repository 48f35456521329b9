import { type FormEvent, useState } from 'react'
import { parsePolicyValue } from '#shared/parse-policy-value'
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
import { savePolicies } from '../admin-api.js'

/** Texts of the fields of an audience. Empty: not set. */
type Inputs = Record<PolicyColumn, string>

export type PoliciesFormState = ReturnType<typeof usePoliciesForm>

/** The names of the API, so that a refused field gets the focus. */
export const fieldName = (audience: Audience, column: PolicyColumn) => `policies.${audience}.${column}`

/** Edits policies. Changes of all audiences are saved together. `onSaved`: called after that. */
export function usePoliciesForm(stored: Policies, onSaved: () => void) {
  const [saved, setSaved] = useState(stored)
  const [drafts, setDrafts] = useState<Record<Audience, Inputs>>({})
  const [audience, setAudience] = useState<Audience>(FIXED_AUDIENCES[0])
  const [isSaved, setIsSaved] = useState(false)
  const changed = Object.keys(drafts).filter((each) => !isEqual(drafts[each], toInputs(saved[each])))
  const names = changed.flatMap((each) => COLUMN_NAMES.map((column) => [each, column] as const))
  const wrong = names.filter(([each, column]) => !isValid(column, drafts[each]?.[column] ?? ''))
  const form = useForm<string>({
    invalid: wrong.map(([each, column]) => fieldName(each, column)),
    serverFields: names.map(([each, column]) => fieldName(each, column)),
    confirm: () => changed.length > 0,
    async send() {
      const rows = changed.map((each) => [each, toPolicy(drafts[each])])
      const { policies } = await savePolicies({ policies: Object.fromEntries(rows) })
      setSaved(policies)
      setDrafts({})
      setIsSaved(true)
      onSaved()
    },
  })
  const inputs = drafts[audience] ?? toInputs(saved[audience])
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
  const audiences = [...new Set([...FIXED_AUDIENCES, ...Object.keys(saved), ...changed, audience])]
  return { ...form, audience, audiences, setAudience, inputs, change, changed, isSaved, onSubmit }
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

const isValid = (column: PolicyColumn, text: string) => text.trim() === '' || parsePolicyValue(column, text) !== null

const isEqual = (a: Inputs | undefined, b: Inputs) => COLUMN_NAMES.every((column) => a?.[column] === b[column])
