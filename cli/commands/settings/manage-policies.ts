/** `mayfly settings policy` and `mayfly settings explain`. */
import { parsePolicyValue } from '#shared/parse-policy-value'
import {
  type Audience,
  COLUMN_NAMES,
  FIXED_AUDIENCES,
  formatPolicyValue,
  isGroup,
  POLICY_COLUMNS,
  type Policy,
  type PolicyColumn,
  type PolicyValues,
} from '#shared/policies'
import { type AdminFlags, withAdministration } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { repeatIfChanged } from './repeat-if-changed.js'

export interface PolicyFlags extends AdminFlags, ListFlags {
  remove?: true
}

type Change = [column: PolicyColumn, value: PolicyValues[PolicyColumn] | undefined]

/** Lists the policies, or changes one: `words` are its audience and `column=value` pairs. */
export async function managePolicies(words: string[], flags: PolicyFlags & GlobalFlags, io: Io): Promise<void> {
  const [audience, ...pairs] = words
  const changes = pairs.map(parseChange)
  if (audience !== undefined) checkAudience(audience)
  if (flags.remove && (audience === undefined || changes.length > 0)) {
    throw new CliError(
      'usage',
      '--remove needs an audience and no values',
      'for example `settings policy users --remove`',
    )
  }
  await withAdministration(flags, io, async (administration) => {
    if (audience === undefined || (changes.length === 0 && !flags.remove)) {
      const { policies } = await administration.readPolicies()
      const shown = audience === undefined ? policies : { [audience]: policies[audience] ?? {} }
      return io.writeResult(flags, shown, formatRows(shown, flags, io))
    }
    const toRow = (row: Policy | undefined) => (flags.remove ? null : applyChanges(row, changes))
    const [before, after] = await repeatIfChanged(async () => {
      const { policies, version } = await administration.readPolicies()
      const updates = { policies: { [audience]: toRow(policies[audience]) }, version }
      return [policies, (await administration.updatePolicies(updates)).policies]
    })
    for (const column of COLUMN_NAMES) {
      const [old, now] = [formatCell(before[audience], column), formatCell(after[audience], column)]
      if (old !== now) io.note(`${audience} ${column}: ${old || '(not set)'} -> ${now || '(not set)'}`)
    }
    if (flags.json) await io.writeJson(after)
  })
}

/** Prints the groups of a user, and each value that applies to the user or to visitors, with their origins. */
export async function explainPolicy(
  username: string | undefined,
  flags: AdminFlags & ListFlags & GlobalFlags,
  io: Io,
): Promise<void> {
  await withAdministration(flags, io, async (administration) => {
    const { groups, values } = await administration.explainPolicy(username)
    const rows = [
      ...groups.map(({ name, provider }) => ({ column: 'group', value: name, from: provider ?? 'administrator' })),
      ...values.map(({ column, value, from }) => ({ column, value, from: from.join(', ') || 'configuration' })),
    ]
    await io.write(formatList(rows, ['column', 'value', 'from'], flags, io))
  })
}

function formatRows(policies: Record<Audience, Policy>, flags: ListFlags, io: Io): string {
  const rows = Object.entries(policies).flatMap(([audience, row]) =>
    COLUMN_NAMES.flatMap((column) => {
      const value = formatCell(row, column)
      return value === '' ? [] : [{ audience, column, value }]
    }),
  )
  return formatList(rows, ['audience', 'column', 'value'], flags, io)
}

function formatCell(row: Policy | undefined, column: PolicyColumn): string {
  const value = row?.[column]
  return value === undefined ? '' : formatPolicyValue(column, value)
}

const applyChanges = (row: Policy = {}, changes: Change[]): Policy =>
  Object.fromEntries(
    Object.entries({ ...row, ...Object.fromEntries(changes) }).filter(([, value]) => value !== undefined),
  )

function checkAudience(audience: string): void {
  if (isGroup(audience) || FIXED_AUDIENCES.some((each) => each === audience)) return
  throw new CliError('usage', 'unknown audience', `one of: ${FIXED_AUDIENCES.join(', ')}, group:NAME`)
}

/** An empty value removes the column from the row. */
function parseChange(pair: string): Change {
  const at = pair.indexOf('=')
  if (at < 1) throw new CliError('usage', 'a value must have the form column=value', 'for example maxViews=1')
  const column = COLUMN_NAMES.find((each) => normalize(each) === normalize(pair.slice(0, at)))
  if (!column) throw new CliError('usage', 'unknown column', `one of: ${COLUMN_NAMES.join(', ')}`)
  const text = pair.slice(at + 1)
  return [column, text === '' ? undefined : parseValue(column, text)]
}

/** Valid values, by the type of the column. */
const EXPECTED = {
  lifetimes: 'durations and ranges such as 1h,1d..7d',
  duration: 'a duration such as 1d',
  count: 'a whole number',
  size: 'a size such as 10MiB',
  boolean: 'true or false',
}

function parseValue(column: PolicyColumn, text: string): PolicyValues[PolicyColumn] {
  const value = parsePolicyValue(column, text)
  if (value !== null) return value
  const type = POLICY_COLUMNS[column]
  throw new CliError('usage', `${column} must be ${typeof type === 'string' ? EXPECTED[type] : type.join(' or ')}`)
}

const normalize = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase()
