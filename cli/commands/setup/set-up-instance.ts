/**
 * `mayfly setup`: creates config, database schema and first administrator, and tests them. A second run changes
 * individual settings.
 */
import { randomBytes } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { isAppError } from '#core'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { toMessage } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { applySetup, type SetupResult } from './apply-setup.js'
import { checkDatabase, checkFileStore } from './check-connections.js'
import { type Admin, readAdminFlags } from './first-admin.js'
import type { SetupFlags } from './setup-flags.js'
import {
  buildConfigFile,
  createPlan,
  formatCommand,
  type Plan,
  readSettingFlags,
  resolveConfigPath,
} from './setup-plan.js'
import { promptForAdmin, promptForPlan, promptForSignUp } from './setup-prompts.js'

type Flags = SetupFlags & GlobalFlags

/** Validated input from flags and prompts. */
interface SetupInput {
  plan: Plan
  admin: Admin | null
  flags: Flags
}

/**
 * Throws CliError: `usage`, `unavailable` for an unreachable database or file store, `interrupted` if not confirmed,
 * `conflict` for a second administrator.
 */
export async function setUpInstance(flags: Flags, io: Io): Promise<void> {
  const wanted = { path: resolveConfigPath(flags, io), chosen: readSettingFlags(flags), force: flags.force ?? false }
  const plan = await createPlan(wanted, io)
  const admin = await readAdminFlags(flags, io)
  if (flags.print) return io.write(`${JSON.stringify(buildConfigFile(plan), null, 2)}\n`)
  const order =
    io.canPrompt && !flags.yes
      ? await promptForInput({ plan, admin, flags }, io)
      : await checkInput({ plan, admin, flags }, io)
  const command = formatCommand(order.plan, listRemainingFlags(order, io), io)
  if (flags.dryRun) {
    io.note(
      `would write ${toDisplayPath(order.plan.path, io)}, update the schema and create ${describeAdmin(order.admin)}`,
    )
    io.note(`same as one command: ${command}`)
    if (flags.json) await io.writeJson({ config_file: order.plan.path, dry_run: true, command })
    return
  }
  await writeConfig(order.plan, io)
  io.note(`wrote ${toDisplayPath(order.plan.path, io)}`)
  const finished = await applySetup(order.plan.config, order.admin, order.flags, io).catch((error) => {
    throw isAppError(error) ? new CliError('unavailable', toMessage(error.message)) : error
  })
  if (finished.admin === 'refused') throw createAdminConflict(order.admin as Admin)
  await printResult(order, finished, command, io)
}

/** Fails, so that a script does not assume that this administrator exists. The rest of the setup is done. */
const createAdminConflict = ({ username, email }: Admin) =>
  new CliError(
    'conflict',
    `another administrator exists already, so ${username} was not created; everything else is set up`,
    `create it with: mayfly user add ${username} --email ${email} --role admin`,
  )

async function promptForInput({ plan, admin, flags }: SetupInput, io: Io): Promise<SetupInput> {
  const next = await promptForPlan(plan, flags.dryRun ?? false, io)
  const first = admin ?? (await promptForAdmin(io))
  const more = await promptForSignUp(flags, io)
  io.note(
    `secrets: ${next.config.settings.storage}, files: ${next.config.settings.files || 'none'}, config: ${toDisplayPath(next.path, io)}`,
  )
  const isWanted =
    flags.dryRun || (await io.confirm('Write the config, create the tables and the administrator?', true))
  if (!isWanted) throw new CliError('interrupted', 'nothing was written')
  return { plan: next, admin: first, flags: { ...flags, ...more } }
}

async function checkInput(order: SetupInput, io: Io): Promise<SetupInput> {
  const { config } = order.plan
  const isDry = order.flags.dryRun ?? false
  io.note(`using ${await checkDatabase(config, isDry)}`)
  io.note(`using ${await checkFileStore(config, isDry)}`)
  return order
}

/** Writes the file with mode 0600, because it may contain the database password. Atomic. */
async function writeConfig(plan: Plan, io: Io): Promise<void> {
  const { path } = plan
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    await file.writeFile(`${JSON.stringify(buildConfigFile(plan), null, 2)}\n`)
    await file.sync()
    await file.close()
    await rename(temporary, path)
  } catch (error) {
    throw new CliError('usage', `cannot write ${toDisplayPath(path, io)}: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** Prints the generated password to stdout, or the document of --json. */
async function printResult(
  { plan, admin, flags }: SetupInput,
  finished: SetupResult,
  command: string,
  io: Io,
): Promise<void> {
  const { settings } = plan.config
  const url = settings.publicUrl || `http://localhost:${settings.port}`
  const password = finished.admin === 'made' && admin?.isGenerated ? { password: admin.password } : {}
  if (flags.json) {
    const facts = { config_file: plan.path, public_url: url, storage: settings.storage, files: settings.files || null }
    await io.writeJson({ ...facts, ...formatResult(finished), admin: finished.admin, ...password })
  } else if (password.password) {
    io.note(`the password of ${admin?.username} is printed once, on stdout`)
    await io.write(`${password.password}\n`)
  }
  if (finished.admin === 'there') io.note('an administrator exists already')
  if (finished.admin === 'none') io.note('no administrator yet; create one with: mayfly user add NAME --role admin')
  if (!finished.isVerified) io.note('no test secret was created: the instance is read-only')
  io.note(`same as one command: ${command}`)
  if (url.startsWith('https:')) {
    io.note(`forward ${url} to ${settings.host || 'this machine'}:${settings.port}; see docs/one-machine.md`)
  }
  io.note(
    `start it: mayfly serve${isDefaultPath(plan.path, io) ? '' : ` --config ${toDisplayPath(plan.path, io)}`}   (address: ${url})`,
  )
}

const formatResult = ({ migrated, isVerified }: SetupResult) => ({ migrated, tried: isVerified })

const isDefaultPath = (path: string, io: Io) => toDisplayPath(path, io) === 'mayfly.config.json'

/** Returns the flags of the one-line command that are not config settings. Never contains a password. */
function listRemainingFlags({ admin, flags }: SetupInput, { env }: Io): string[] {
  return [
    ...(admin ? ['--admin-username', admin.username, '--admin-email', admin.email] : []),
    ...(admin
      ? admin.isGenerated
        ? ['--generate-admin-password']
        : ['--admin-password-file', flags.adminPasswordFile ?? env.MAYFLY_ADMIN_PASSWORD_FILE ?? 'FILE']
      : []),
    ...(flags.readOnly ? ['--read-only'] : []),
    ...(flags.disableSignup ? ['--disable-signup'] : []),
    ...(flags.orgEmailDomain === undefined ? [] : ['--org-email-domain', flags.orgEmailDomain]),
    ...(flags.write === undefined ? [] : ['--write', flags.write]),
  ]
}

const describeAdmin = (admin: Admin | null) => (admin ? `the administrator ${admin.username}` : 'no administrator')

/** Returns a relative path below the working folder, else the path. */
function toDisplayPath(path: string, { cwd }: Io): string {
  const below = relative(cwd, path)
  return below.startsWith('..') ? path : below
}
