/** `mayfly import hemmelig`: users and instance settings of Hemmelig 6. */
import { CreateUser } from '#shared/api'
import { describeIssue } from '#shared/describe-issue'
import type { InstanceSettings } from '#shared/instance-settings'
import type { Administration } from '../../instance/administration.js'
import { assertLocal, withAdministration } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { toSingleLine } from '../../output/sanitize.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { requireOneArgument } from '../user/account-input.js'
import { addUserList, type UserAddFlags } from '../user/add-users.js'
import type { UserLine } from '../user/users-csv.js'
import { type HemmeligData, readHemmelig } from './hemmelig-database.js'

export interface ImportFlags extends UserAddFlags, ListFlags {
  dryRun?: true
  skipInvalid?: true
}

type Flags = ImportFlags & GlobalFlags

/** A user of Hemmelig, and the plan for it. */
interface PlannedUser {
  user: UserLine
  /** `exists`: here already, with the same address and role. */
  state: 'new' | 'exists' | 'invalid'
  /** Why it cannot be imported. */
  problem?: string
}

/**
 * Checks everything before the first change. Another run completes an interrupted one: users that exist with the same
 * address and role are left alone.
 */
export async function importHemmelig(words: string[], flags: Flags, io: Io): Promise<void> {
  assertLocal(flags, 'users are imported')
  const path = requireOneArgument(words, 'database of Hemmelig')
  const ttl = parseDuration('--ttl', flags.ttl)
  await withAdministration(flags, io, async (administration) => {
    const data = await readHemmelig(path, io)
    const users = await planUsers(data.users, administration)
    const settings = await planSettings(data.settings, administration)
    report({ users, settings, data }, io)
    if (flags.dryRun) return writePlan({ users, settings, data }, flags, io)
    const invalid = users.filter(({ state }) => state === 'invalid')
    if (invalid.length > 0 && !flags.skipInvalid) {
      const hint = 'nothing was imported; correct the users there, or leave them out with --skip-invalid'
      throw new CliError('conflict', `${invalid.length} of ${users.length} users cannot be imported`, hint)
    }
    // First, because they can be refused.
    if (Object.keys(settings).length > 0) await administration.updateSettings(settings)
    const added = users.filter(({ state }) => state === 'new').map(({ user }) => user)
    await addUserList(administration, added, ttl, { ...flags, mustChange: true }, io)
  })
}

async function planUsers(found: HemmeligData['users'], administration: Administration): Promise<PlannedUser[]> {
  const planned: PlannedUser[] = []
  for (const user of found) planned.push(await planUser(user, planned, administration))
  return planned
}

async function planUser(
  user: HemmeligData['users'][number],
  earlier: PlannedUser[],
  administration: Administration,
): Promise<PlannedUser> {
  const username = toSingleLine(user.username)
  const email = toSingleLine(user.email)
  // Creators may create secrets while the instance is read-only; here, `who_can_create` decides.
  const role = user.role === 'admin' ? 'admin' : 'user'
  const fail = (problem: string): PlannedUser => ({ user: { username, email, role }, state: 'invalid', problem })
  const name = CreateUser.shape.username.safeParse(user.username)
  if (!name.success) return fail(`the user name ${describeIssue(name.error.issues[0])}`)
  const address = CreateUser.shape.email.safeParse(user.email)
  if (!address.success) return fail(`the e-mail address ${describeIssue(address.error.issues[0])}`)
  const line = { username: name.data, email: address.data, role }
  if (earlier.some((each) => each.user.username === line.username))
    return fail('differs from another user name only in case')
  if (earlier.some((each) => each.user.email === line.email)) return fail('has the e-mail address of another user')
  const taken = await administration.findUser(line.username)
  if (taken) {
    const isSame = taken.email === line.email && taken.role === role
    return isSame
      ? { user: line, state: 'exists' }
      : fail('the user name is taken, with another e-mail address or role')
  }
  const { users } = await administration.listUsers({ search: line.email, skip: 0, take: 100 })
  const owner = users.find((each) => each.email === line.email)
  return owner ? fail(`the e-mail address belongs to ${owner.username}`) : { user: line, state: 'new' }
}

/** The settings that differ. */
async function planSettings(
  wanted: HemmeligData['settings'],
  administration: Administration,
): Promise<Partial<InstanceSettings>> {
  const current = await administration.readSettings()
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  return Object.fromEntries(names.filter((name) => wanted[name] !== current[name]).map((name) => [name, wanted[name]]))
}

interface Plan {
  users: PlannedUser[]
  /** The settings that change. */
  settings: Partial<InstanceSettings>
  data: HemmeligData
}

function report({ users, settings, data }: Plan, io: Io): void {
  const countOf = (state: PlannedUser['state']) => users.filter((each) => each.state === state).length
  for (const { user, problem } of users) if (problem !== undefined) io.warn(`${user.username}: ${problem}`)
  io.note(`users: ${countOf('new')} new, ${countOf('exists')} exist already, ${countOf('invalid')} cannot be imported`)
  for (const [name, value] of Object.entries(settings)) io.note(`setting ${name}: ${value === '' ? '(empty)' : value}`)
  io.note(
    `not imported: ${data.secrets} secrets and ${data.files} files, whose keys are only in their links; passwords, of which only hashes exist; statistics`,
  )
}

async function writePlan({ users, settings, data: { secrets, files } }: Plan, flags: Flags, io: Io): Promise<void> {
  const rows = users.map(({ user: { username, email, role }, state, problem }) => ({
    username,
    email,
    role,
    state,
    ...(problem !== undefined && { problem }),
  }))
  if (flags.json) return io.writeJson({ users: rows, settings, secrets, files })
  await io.write(formatList(rows, ['username', 'email', 'role', 'state', 'problem'], flags, io))
}
