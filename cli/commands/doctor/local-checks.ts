/** What `doctor` sees on the machine of the instance. Whatever fails, the next check runs. */
import { randomBytes } from 'node:crypto'
import { chmod, stat, statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FileStore, Storage } from '#core'
import { noLog, openStores, readJournal } from '#core/runtime'
import { type InstanceConfig, loadConfigForFlags } from '../../instance/instance-config.js'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { getJournalFolder } from '../../instance/journal-folder.js'
import { describeLocation, toStartError } from '../../instance/open-database.js'
import { CliError } from '../../lib/cli-error.js'
import { version } from '../../lib/version.js'
import { formatBytes } from '../../output/format-bytes.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { countExpired, deleteExpired } from '../maintenance/purge-expired.js'
import { type CheckResult, fail, ok, warn } from './check-result.js'

const MIN_FREE_BYTES = 2 ** 30

/** What can be mended in these sections is, and is looked at once more. */
export async function runLocalChecks(
  flags: InstanceFlags & GlobalFlags,
  mending: string[],
  io: Io,
): Promise<CheckResult[]> {
  const boot = await loadConfigOrFail(flags, io)
  if (!('settings' in boot)) return [boot]
  const settled = (section: string, look: () => Promise<CheckResult[]>) =>
    mending.includes(section) ? repairAndRecheck(look) : look()
  const findings = [
    ok('config', 'settings', 'can be read'),
    ...checkConfig(boot),
    ...(await settled('disk', () => checkDisk(boot))),
  ]
  const opened = await openStores({ ...boot, log: noLog }).catch(toStartError)
  // A start asks the engine for its durability, its characters and its rights; what it says is the finding.
  if (!(typeof opened === 'object' && opened !== null && 'storage' in opened)) {
    if (!(opened instanceof CliError)) throw opened
    return [...findings, fail('database', 'start', opened.message, opened.hint ?? 'see docs/databases.md')]
  }
  const { storage, files, close } = opened as Awaited<ReturnType<typeof openStores>>
  try {
    const found = await settled('database', () => checkDatabase(boot, storage, files, io))
    return [...findings, ...found, ...(await checkFileStore(files)), ...(await checkJournal(boot))]
  } finally {
    await close()
  }
}

/** As often as there is something new to mend: behind an old schema there may be more. What cannot be stays as it was found. */
async function repairAndRecheck(look: () => Promise<CheckResult[]>): Promise<CheckResult[]> {
  const tried = new Set<string>()
  for (;;) {
    const found = await look()
    const next = found.find(({ check, repair }) => repair && !tried.has(check))
    if (!next) return found
    tried.add(next.check)
    await next.repair?.().catch(() => {})
  }
}

async function loadConfigOrFail(flags: InstanceFlags & GlobalFlags, io: Io): Promise<InstanceConfig | CheckResult> {
  try {
    return await loadConfigForFlags(flags, io)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return fail(
      'config',
      'settings',
      error.message.replaceAll('\n', '; '),
      'set it right, and see `mayfly config list`',
    )
  }
}

function checkConfig({ settings }: InstanceConfig): CheckResult[] {
  const findings = [ok('config', 'version', `Mayfly ${version} on Node ${process.versions.node}`)]
  const { publicUrl, trustedProxies } = settings
  if (publicUrl === '') {
    findings.push(warn('config', 'publicUrl', 'is not set, so links lead to this machine', 'set MAYFLY_PUBLIC_URL'))
  } else if (!publicUrl.startsWith('https:')) {
    findings.push(
      warn('config', 'publicUrl', 'is not https', 'put a proxy with https in front: see docs/one-machine.md'),
    )
  } else if (trustedProxies.length === 0) {
    const what = 'is empty, so every caller seems to come from the proxy'
    findings.push(warn('config', 'trustedProxies', what, 'set MAYFLY_TRUSTED_PROXIES to the address of the proxy'))
  } else findings.push(ok('config', 'publicUrl', publicUrl))
  return findings
}

async function checkDisk({ settings: { dataDir }, allSettings }: InstanceConfig): Promise<CheckResult[]> {
  // As it was set: `dataDir` itself is absolute.
  const shown = allSettings.find(({ key }) => key === 'dataDir')?.value ?? dataDir
  try {
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const mode = (await stat(dataDir)).mode & 0o077
    return [
      free < MIN_FREE_BYTES
        ? warn('disk', 'room', `${formatBytes(free)} are free`, 'make room: uploads are refused when less is free')
        : ok('disk', 'room', `${formatBytes(free)} are free`),
      mode === 0
        ? ok('disk', 'data folder', 'is closed to other users')
        : {
            ...warn('disk', 'data folder', 'is open to other users of this machine', `chmod 700 ${shown}`),
            repair: () => chmod(dataDir, 0o700),
          },
    ]
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    // `serve` makes it.
    if (code === 'ENOENT') return [ok('disk', 'data folder', 'is not there yet')]
    return [fail('disk', 'data folder', `cannot be used: ${code}`, `give ${shown} to the user of the server`)]
  }
}

async function checkDatabase(
  { settings }: InstanceConfig,
  storage: Storage,
  files: FileStore | null,
  io: Io,
): Promise<CheckResult[]> {
  const findings = [
    ok(
      'database',
      'start',
      `${describeLocation(settings.storage, storage, io)} answers, waits for the disk, keeps every character`,
    ),
  ]
  const steps = (await storage.migrations?.status()) ?? []
  const missing = steps.filter(({ state }) => state !== 'ran')
  if (missing.length > 0) {
    const what = `${missing.map(({ name, state }) => `${name} is ${state}`).join(', ')}`
    const behind = fail('database', 'schema', what, 'run `mayfly migrate`, or the version that made it')
    const isOurs = missing.every(({ state }) => state === 'pending')
    return [...findings, isOurs ? { ...behind, repair: () => storage.migrate() } : behind]
  }
  findings.push(ok('database', 'schema', 'is that of this version'))
  if (!storage.rows) return findings
  const left = await countExpired(storage.rows, Date.now() - 10 * 60_000)
  if (left.secrets + left.files === 0) {
    return [...findings, ok('database', 'sweeping', 'nothing has ended that is still there')]
  }
  const what = `${formatCount(left.secrets, 'secret')} and ${formatCount(left.files, 'file')} ended ten minutes ago and are still there`
  const unswept = warn('database', 'sweeping', what, 'is the server running? `mayfly purge` deletes them')
  return [...findings, { ...unswept, repair: () => deleteExpired({ storage, files }, { orphans: false, log: noLog }) }]
}

async function checkFileStore(files: FileStore | null): Promise<CheckResult[]> {
  if (!files) return [ok('files', 'store', 'is turned off')]
  const key = `doctor${randomBytes(13).toString('hex')}`
  const bytes = randomBytes(1000)
  try {
    await files.put(key, Readable.from([bytes]), bytes.length)
    const chunks: Buffer[] = []
    for await (const chunk of await files.get(key)) chunks.push(chunk)
    const isSame = Buffer.concat(chunks).equals(bytes)
    if (!isSame) return [fail('files', 'store', 'gives back other bytes than it was given', 'see docs/file-stores.md')]
    return [ok('files', 'store', `${files.location ?? 'it'} gives back what it was given`)]
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    return [fail('files', 'store', why, 'see docs/file-stores.md')]
  } finally {
    await files.delete(key).catch(() => {})
  }
}

async function checkJournal(boot: InstanceConfig): Promise<CheckResult[]> {
  const folder = getJournalFolder(boot)
  if (folder === null) return []
  const read = await readJournal(folder).catch(() => null)
  if (read?.completeSince)
    return [ok('files', 'tombstones', `are complete since ${new Date(read.completeSince).toISOString()}`)]
  return [
    fail(
      'files',
      'tombstones',
      'nobody can tell what has ended',
      `is there room in ${folder}? then restart the server`,
    ),
  ]
}
