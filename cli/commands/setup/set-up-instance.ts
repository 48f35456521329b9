/** `mayfly setup`: a config, a database, an administrator, and the proof that they work together. Again it changes what it is told. */
import { randomBytes } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { isAppError } from '#core'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { asMessage } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { type Finished, finish } from './apply-setup.js'
import { tryDatabase, tryFiles } from './check-connections.js'
import { type Admin, givenAdmin } from './first-admin.js'
import type { SetupFlags } from './setup-flags.js'
import { chosenBy, commandFor, configOf, type Plan, pathOf, planOf } from './setup-plan.js'
import { askForAdmin, askForPlan, askForSignUp } from './setup-questions.js'

type Flags = SetupFlags & GlobalFlags

/** What is to happen, settled. */
interface Order {
  plan: Plan
  admin: Admin | null
  flags: Flags
}

/** Throws CliError: `usage`, `unavailable` for what does not answer, `interrupted` when somebody says no. */
export async function setUpInstance(flags: Flags, io: Io): Promise<void> {
  const plan = await planOf(pathOf(flags, io), chosenBy(flags), flags.force, io)
  const admin = await givenAdmin(flags, io)
  if (flags.print) return io.write(`${JSON.stringify(configOf(plan, flags.force), null, 2)}\n`)
  const order =
    io.canAsk && !flags.yes ? await asked({ plan, admin, flags }, io) : await tried({ plan, admin, flags }, io)
  const command = commandFor(order.plan, moreFlags(order, io), io)
  if (flags.dryRun) {
    io.note(`would write ${shown(order.plan.path, io)}, bring the schema up to date, and make ${whom(order.admin)}`)
    io.note(`the same without questions: ${command}`)
    return
  }
  await writeConfig(order.plan, flags.force, io)
  io.note(`wrote ${shown(order.plan.path, io)}`)
  const finished = await finish(order.plan.boot, order.admin, order.flags, io).catch((error) => {
    throw isAppError(error) ? new CliError('unavailable', asMessage(error.message)) : error
  })
  await tell(order, finished, command, io)
}

async function asked({ plan, admin, flags }: Order, io: Io): Promise<Order> {
  const next = await askForPlan(plan, flags.dryRun ?? false, flags.force, io)
  const first = admin ?? (await askForAdmin(io))
  const more = await askForSignUp(flags, io)
  io.note(
    `secrets: ${next.boot.settings.storage}, files: ${next.boot.settings.files || 'none'}, config: ${shown(next.path, io)}`,
  )
  const isWanted =
    flags.dryRun || (await io.confirm('Write the config, create the tables, make the administrator?', true))
  if (!isWanted) throw new CliError('interrupted', 'nothing was written')
  return { plan: next, admin: first, flags: { ...flags, ...more } }
}

async function tried(order: Order, io: Io): Promise<Order> {
  const { boot } = order.plan
  const isDry = order.flags.dryRun ?? false
  io.note(`using ${await tryDatabase(boot, isDry, io)}`)
  io.note(`using ${await tryFiles(boot, isDry, io)}`)
  return order
}

/** For its owner only: it may hold the password of the database. There as a whole or not at all. */
async function writeConfig(plan: Plan, force: boolean | undefined, io: Io): Promise<void> {
  const { path } = plan
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    await file.writeFile(`${JSON.stringify(configOf(plan, force), null, 2)}\n`)
    await file.sync()
    await file.close()
    await rename(temporary, path)
  } catch (error) {
    throw new CliError('usage', `${shown(path, io)} cannot be written: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** stdout is the generated password, or the one document of --json. */
async function tell({ plan, admin, flags }: Order, finished: Finished, command: string, io: Io): Promise<void> {
  const { settings } = plan.boot
  const url = settings.publicUrl || `http://localhost:${settings.port}`
  const password = finished.admin === 'made' && admin?.isGenerated ? { password: admin.password } : {}
  if (flags.json) {
    const facts = { config_file: plan.path, public_url: url, storage: settings.storage, files: settings.files || null }
    await io.write(`${JSON.stringify({ ...facts, ...told(finished), admin: finished.admin, ...password })}\n`)
  } else if (password.password) {
    io.note(`the password of ${admin?.username}, which is kept nowhere, is on stdout`)
    await io.write(`${password.password}\n`)
  }
  if (finished.admin === 'there') io.note('there is an administrator already')
  if (finished.admin === 'none') io.note('no administrator yet: mayfly user add NAME --role admin')
  if (!finished.isTried) io.note('no secret was tried: the instance is read-only')
  io.note(`the same without questions: ${command}`)
  io.note(
    `start it: mayfly serve${isFound(plan.path, io) ? '' : ` --config ${shown(plan.path, io)}`}   it will be at ${url}`,
  )
}

const told = ({ migrated, isTried }: Finished) => ({ migrated, tried: isTried })

const isFound = (path: string, io: Io) => shown(path, io) === 'mayfly.config.json'

/** What the one-line command names beside the settings. A password is never in it. */
function moreFlags({ admin, flags }: Order, { env }: Io): string[] {
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

const whom = (admin: Admin | null) => (admin ? `the administrator ${admin.username}` : 'no administrator')

/** As seen from the working folder, where it is below. */
function shown(path: string, { cwd }: Io): string {
  const below = relative(cwd, path)
  return below.startsWith('..') ? path : below
}
