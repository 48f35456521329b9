/** Checks of second factors that a running server and `mayfly doctor` do. They change nothing. */
import type { Storage } from '../contracts/storage.js'
import type { User } from '../contracts/users.js'
import { parseSetting } from '../settings/create-settings.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { type Finding, ok, warn } from './finding.js'

const PAGE = 100
/** Number of administrators that are looked at. */
const ADMINISTRATORS_MAX = 1000
/** Number of administrators that a finding names. */
const NAMES_MAX = 5

/** A warning if the policy requires a second factor of administrators who have none. */
export async function checkAdministratorFactors(
  { users, settings }: Pick<Storage, 'users' | 'settings'>,
  now: EpochMs,
): Promise<Finding[]> {
  const stored = await settings.getAll()
  if (!['administrators', 'everyone'].includes(String(parseSetting('second_factor', stored.second_factor)))) return []
  const byProvider = parseSetting('second_factor_by_provider', stored.second_factor_by_provider) === true
  // Someone without a password signs in at a provider, whose second factor counts.
  const needsFactor = ({ secondFactor, suspendedAt, passwordHash }: User) =>
    !secondFactor && suspendedAt === null && !(byProvider && passwordHash === null)
  const names: string[] = []
  for (let skip = 0; skip < ADMINISTRATORS_MAX; skip += PAGE) {
    const page = await users.list({ role: 'admin' }, { skip, take: PAGE }, now)
    names.push(...page.users.filter(needsFactor).map(({ username }) => username))
    if (skip + PAGE >= page.total) break
  }
  if (names.length === 0)
    return [ok('database', 'second factors', 'every administrator has one, as the policy requires')]
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : ''
  const what = `administrators without one, which the policy requires: ${names.slice(0, NAMES_MAX).join(', ')}${more}`
  const fix = 'they add one on the page Security; after the days of grace they can do nothing else'
  return [warn('database', 'second factors', what, fix)]
}
