/** Checks of `doctor` on the machine of the instance. A failed check doesn't stop the next one. */
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

/** `sectionsToFix`: sections whose problems are fixed and checked again. */
export async function runLocalChecks(
  flags: InstanceFlags & GlobalFlags,
  sectionsToFix: string[],
  io: Io,
): Promise<CheckResult[]> {
  const config = await loadConfigOrFail(flags, io)
  if (!('settings' in config)) return [config]
  const checkAndFix = (section: string, check: () => Promise<CheckResult[]>) =>
    sectionsToFix.includes(section) ? repairAndRecheck(check) : check()
  const results = [
    ok('config', 'settings', 'valid'),
    ...checkConfig(config),
    ...(await checkAndFix('disk', () => checkDisk(config))),
  ]
  const opened = await openStores({ ...config, log: noLog }).catch(toStartError)
  // Opening checks durability, character set and permissions. A failure is the result of this check.
  if (!(typeof opened === 'object' && opened !== null && 'storage' in opened)) {
    if (!(opened instanceof CliError)) throw opened
    return [...results, fail('database', 'start', opened.message, opened.hint ?? 'see docs/databases.md')]
  }
  const { storage, files, close } = opened as Awaited<ReturnType<typeof openStores>>
  try {
    const databaseResults = await checkAndFix('database', () => checkDatabase(config, storage, files, io))
    return [...results, ...databaseResults, ...(await checkFileStore(files)), ...(await checkJournal(config))]
  } finally {
    await close()
  }
}

/** Repairs and checks again until nothing new can be repaired: an old schema may hide other problems. */
async function repairAndRecheck(check: () => Promise<CheckResult[]>): Promise<CheckResult[]> {
  const tried = new Set<string>()
  for (;;) {
    const results = await check()
    const next = results.find(({ check, repair }) => repair && !tried.has(check))
    if (!next) return results
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
      'fix the setting; `mayfly config list` prints all of them',
    )
  }
}

function checkConfig({ settings }: InstanceConfig): CheckResult[] {
  const results = [ok('config', 'version', `Mayfly ${version} on Node ${process.versions.node}`)]
  const { publicUrl, trustedProxies } = settings
  if (publicUrl === '') {
    results.push(warn('config', 'publicUrl', 'not set, links point to localhost', 'set MAYFLY_PUBLIC_URL'))
  } else if (!publicUrl.startsWith('https:')) {
    results.push(
      warn('config', 'publicUrl', 'not https', 'put an https reverse proxy in front, see docs/one-machine.md'),
    )
  } else if (trustedProxies.length === 0) {
    const what = 'empty, all clients seem to have the address of the proxy'
    results.push(warn('config', 'trustedProxies', what, 'set MAYFLY_TRUSTED_PROXIES to the address of the proxy'))
  } else results.push(ok('config', 'publicUrl', publicUrl))
  return results
}

async function checkDisk({ settings: { dataDir }, allSettings }: InstanceConfig): Promise<CheckResult[]> {
  // As configured; `dataDir` itself is absolute.
  const displayPath = allSettings.find(({ key }) => key === 'dataDir')?.value ?? dataDir
  try {
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const mode = (await stat(dataDir)).mode & 0o077
    return [
      free < MIN_FREE_BYTES
        ? warn('disk', 'room', `${formatBytes(free)} free`, 'free disk space; uploads are refused below a minimum')
        : ok('disk', 'room', `${formatBytes(free)} free`),
      mode === 0
        ? ok('disk', 'data folder', 'not readable by other users')
        : {
            ...warn('disk', 'data folder', 'readable by other users of this machine', `chmod 700 ${displayPath}`),
            repair: () => chmod(dataDir, 0o700),
          },
    ]
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    // `serve` creates it.
    if (code === 'ENOENT') return [ok('disk', 'data folder', 'does not exist yet')]
    return [
      fail('disk', 'data folder', `not usable: ${code}`, `make the user of the server the owner of ${displayPath}`),
    ]
  }
}

async function checkDatabase(
  { settings }: InstanceConfig,
  storage: Storage,
  files: FileStore | null,
  io: Io,
): Promise<CheckResult[]> {
  const results = [
    ok(
      'database',
      'start',
      `${describeLocation(settings.storage, storage, io)} is reachable, with durable writes and full Unicode`,
    ),
  ]
  const steps = (await storage.migrations?.status()) ?? []
  const missing = steps.filter(({ state }) => state !== 'ran')
  if (missing.length > 0) {
    const what = `${missing.map(({ name, state }) => `${name} is ${state}`).join(', ')}`
    const behind = fail('database', 'schema', what, 'run `mayfly migrate`, or use the version that migrated it')
    const isOurs = missing.every(({ state }) => state === 'pending')
    return [...results, isOurs ? { ...behind, repair: () => storage.migrate() } : behind]
  }
  results.push(ok('database', 'schema', 'matches this version'))
  if (!storage.rows) return results
  const overdueCounts = await countExpired(storage.rows, Date.now() - 10 * 60_000)
  if (overdueCounts.secrets + overdueCounts.files === 0) {
    return [...results, ok('database', 'sweeping', 'no overdue data')]
  }
  const what = `${formatCount(overdueCounts.secrets, 'secret')} and ${formatCount(overdueCounts.files, 'file')} should have been deleted ten minutes ago`
  const overdue = warn('database', 'sweeping', what, 'start the server, or delete them with `mayfly purge`')
  return [...results, { ...overdue, repair: () => deleteExpired({ storage, files }, { orphans: false, log: noLog }) }]
}

async function checkFileStore(files: FileStore | null): Promise<CheckResult[]> {
  if (!files) return [ok('files', 'store', 'turned off')]
  const key = `doctor${randomBytes(13).toString('hex')}`
  const bytes = randomBytes(1000)
  try {
    await files.put(key, Readable.from([bytes]), bytes.length)
    const chunks: Buffer[] = []
    for await (const chunk of await files.get(key)) chunks.push(chunk)
    const isSame = Buffer.concat(chunks).equals(bytes)
    if (!isSame) return [fail('files', 'store', 'returns different bytes than were stored', 'see docs/file-stores.md')]
    return [ok('files', 'store', `${files.location ?? 'file store'} returns what was stored`)]
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    return [fail('files', 'store', why, 'see docs/file-stores.md')]
  } finally {
    await files.delete(key).catch(() => {})
  }
}

async function checkJournal(config: InstanceConfig): Promise<CheckResult[]> {
  const folder = getJournalFolder(config)
  if (folder === null) return []
  const read = await readJournal(folder).catch(() => null)
  if (read?.completeSince)
    return [ok('files', 'tombstones', `complete since ${new Date(read.completeSince).toISOString()}`)]
  return [
    fail(
      'files',
      'tombstones',
      'incomplete, a restore of secrets is not possible',
      `check the free space in ${folder}, then restart the server`,
    ),
  ]
}
