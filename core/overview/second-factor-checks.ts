/** Checks of second factors that a running server and `mayfly doctor` do. They change nothing. */
import { join } from 'node:path'
import { inspectFactorKey } from '../auth/factors/factor-key.js'
import { PASSKEY_HOST } from '../auth/factors/passkey-host.js'
import type { Storage } from '../contracts/storage.js'
import type { User } from '../contracts/users.js'
import { parseSetting } from '../settings/create-settings.js'
import type { StartupConfig } from '../settings/startup-config.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { ok, problem, type ServerFinding } from './finding.js'

const PAGE = 100
/** Number of administrators that are checked. */
const ADMINISTRATORS_MAX = 1000
/** Number of administrators that a finding names. */
const NAMES_MAX = 5

/** A warning if the policy requires a second factor and administrators lack one. */
export async function checkAdministratorFactors(
  { users, settings }: Pick<Storage, 'users' | 'settings'>,
  now: EpochMs,
): Promise<ServerFinding[]> {
  const stored = await settings.getAll()
  if (!['administrators', 'everyone'].includes(String(parseSetting('second_factor', stored.second_factor)))) return []
  const byProvider = parseSetting('second_factor_by_provider', stored.second_factor_by_provider) === true
  // A user without a password signs in at a provider, whose second factor counts.
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
  const more = names.length > NAMES_MAX ? `, … (${names.length})` : ''
  return [problem('second_factors_missing', { names: `${names.slice(0, NAMES_MAX).join(', ')}${more}` })]
}

/** A failure if this process cannot open the secrets of authenticator apps. */
export async function checkFactorKey(
  storage: Pick<Storage, 'factors'>,
  config: Pick<StartupConfig, 'dataDir' | 'instanceKey'>,
): Promise<ServerFinding[]> {
  try {
    const state = await inspectFactorKey(storage, config)
    if (state === 'unused') return []
    if (state === 'present') return [ok('database', 'factor key', 'opens the secrets of authenticator apps')]
    return [problem('factor_key_wrong', { folder: config.dataDir })]
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return [problem('factor_key_unreadable', { file: join(config.dataDir, 'factor.key'), error: code })]
  }
}

/** A warning if passkeys were created for another host than the host of `publicUrl`. */
export async function checkPasskeyHost(
  { settings }: Pick<Storage, 'settings'>,
  { publicUrl }: Pick<StartupConfig, 'publicUrl'>,
): Promise<ServerFinding[]> {
  const host = (await settings.getAll())[PASSKEY_HOST]
  if (host === undefined || publicUrl === '') return []
  const { hostname } = new URL(publicUrl)
  if (host === hostname) return [ok('database', 'passkeys', `belong to ${host}`)]
  return [problem('passkeys_of_other_host', { host, current: hostname })]
}
